import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiError, ApiLockRequest } from '../../../../src/app/api/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { untranslated } from '../../extension/brackets.ts';
import { installed, l10n } from '../../extension/fakeVscode.ts';
import { profileNamed } from '../../extension/fixtures.ts';
import { withLock } from './apiExample.ts';
import { apiScene, wanted } from './apiFixtures.ts';

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    const { code, message } = error as ApiError;
    // A fault of the calling program is for its author, in the language of its source.
    expect({ code, english: untranslated(message) }).toEqual({ code, english: code === 'BAD_REQUEST' ? message : '' });
    return code;
  }
  return 'none';
}

const request = (fields: object): ApiLockRequest => ({ ...wanted, ...fields });

let scene: ReturnType<typeof apiScene>;

const inEnglish = { ...l10n };

beforeEach(() => {
  // Every text of ours stands in brackets.
  Object.assign(l10n, { t: (...text: Parameters<typeof l10n.t>) => `⟦${inEnglish.t(...text)}⟧` });
  scene = apiScene();
});

describe('the API', () => {
  it('cannot be changed by one extension under another', () => {
    const { api } = scene;
    expect(Object.isFrozen(api)).toBe(true);
    expect(() => Object.assign(api, { acquireTestLock: () => 0 })).toThrow(TypeError);
    expect(Object.isFrozen(api.clusters()[0])).toBe(true);
  });

  it('lists clusters without addresses and log-ins', () => {
    scene = apiScene({ connectString: 'secret-host:2181', auth: [{ scheme: 'digest', user: 'ann' }] });
    const listed = scene.api.clusters();
    expect(listed).toEqual([
      { id: 'orders', name: 'orders', environment: 'development', isSandbox: false, readOnly: false, connected: true },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/secret-host|ann/);
  });

  it('marks the sandbox, where a lock keeps no other machine away', () => {
    scene = apiScene({ isSandbox: true });
    expect(scene.api.clusters()).toMatchObject([{ isSandbox: true, connected: true }]);
  });

  it('does not give the past for the present', async () => {
    scene = apiScene({ isRecording: true });
    expect(scene.api.clusters()).toEqual([]);
    await expect(scene.api.readQueues('orders', '/locks/a')).rejects.toMatchObject({ code: 'UNKNOWN_CLUSTER' });
  });

  it('reads a queue that survives JSON', async () => {
    scene.client.put('/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-0000000003', { data: 'w1', owner: 0x1fn });
    const queues = await scene.api.readQueues('orders', '/locks/a');
    expect(queues).toMatchObject([
      {
        path: '/locks/a',
        dialect: 'curator',
        contenders: [
          {
            ...{ role: 'holder', ownerSession: '0x1f', identifier: 'w1' },
            ...{ createdAt: 1_000, heldSince: { earliest: 1_000, latest: 1_000 } },
          },
        ],
      },
    ]);
    expect(BigInt(queues[0]!.contenders[0]!.czxid)).toBeGreaterThan(0n);
    expect(Object.isFrozen(queues[0]!.contenders[0]!.heldSince)).toBe(true);
    expect(JSON.parse(JSON.stringify(queues))).toEqual(queues);
  });

  it('writes the session of an owner as ZooKeeper does, also one of a server with a high number', async () => {
    const owner = BigInt.asIntN(64, 0xfe00000000000001n);
    scene.client.put('/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-0000000003', { data: 'w1', owner });
    const [queue] = await scene.api.readQueues('orders', '/locks/a');
    expect(queue?.contenders[0]?.ownerSession).toBe('0xfe00000000000001');
  });

  it.each([
    ['BAD_REQUEST', 'orders', 'locks'],
    ['BAD_REQUEST', 'orders', '/a/../b'],
    ['UNKNOWN_CLUSTER', '__proto__', '/locks'],
  ])('answers %s to a read of %s %s', async (code, id, path) => {
    expect(await codeOf(scene.api.readQueues(id, path))).toBe(code);
  });

  it('connects nothing by itself, and nothing at all in an untrusted workspace', async () => {
    scene.connection.client = undefined;
    expect(await codeOf(scene.api.readQueues('orders', '/locks'))).toBe('NOT_CONNECTED');
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('NOT_CONNECTED');
    scene.person.isTrusted = false;
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('UNTRUSTED');
    expect(scene.person.asked).toEqual([]);
  });
});

describe('a test lock of another extension', () => {
  it('is shown like those of the person, with who wants it, and is given back', async () => {
    const lock = await scene.api.acquireTestLock(request({ identifier: 'deploy 7' }));
    const [row] = scene.testLocks.all;
    expect(row?.request).toMatchObject({ identifier: 'deploy 7 (Example.deployer)', autoReleaseMs: 60_000 });
    expect(lock).toMatchObject({ state: 'held', paths: ['/locks/pay'], autoReleaseMs: 60_000 });
    expect(lock.fencingToken).toBe(`0x${(await scene.client.exists('/locks/pay'))!.czxid.toString(16)}`);
    expect(lock.signal.aborted).toBe(false);
    await lock.release();
    await lock.release();
    expect(await scene.client.exists('/locks/pay')).toBeUndefined();
    expect([lock.state, lock.signal.aborted]).toEqual(['released', true]);
    expect(scene.testLocks.all).toEqual([]);
  });

  it('tells its taker when the person or time has released it', async () => {
    const first = await scene.api.acquireTestLock(wanted);
    await scene.testLocks.release(scene.testLocks.all[0]!);
    expect([first.state, first.signal.aborted]).toEqual(['released', true]);
    const second = await scene.api.acquireTestLock(wanted);
    for (const callback of [...scene.timers]) callback();
    await eventually(() => expect(second.signal.aborted).toBe(true));
    expect(second.state).toBe('released');
  });

  it('asks the person once for each extension, also when calls come together', async () => {
    const locks = ['/locks/a', '/locks/b'].map(path => scene.api.acquireTestLock(request({ path })));
    await Promise.all(locks);
    await scene.api.acquireTestLock(request({ path: '/locks/c' }));
    expect(scene.person.asked).toHaveLength(1);
    expect(scene.person.asked[0]).toContain('example.deployer');
    expect(scene.person.asked[0]).not.toContain('](');
    expect(scene.state.get('allowedExtensions')).toEqual(['example.deployer']);
    expect(scene.allowed).toEqual([false, true]);
    await scene.access.revoke(['example.deployer']);
    scene.person.answers = false;
    expect(await codeOf(scene.api.acquireTestLock(request({ path: '/locks/d' })))).toBe('NOT_ALLOWED');
    expect(scene.person.asked).toHaveLength(2);
    expect(scene.allowed.at(-1)).toBe(false);
  });

  it('is refused without a further question once the person said no, and for an id that is not installed', async () => {
    scene.person.answers = false;
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('NOT_ALLOWED');
    scene.person.answers = true;
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('NOT_ALLOWED');
    expect(await codeOf(scene.api.acquireTestLock(request({ extensionId: 'no.body' })))).toBe('NOT_ALLOWED');
    expect(scene.person.asked).toHaveLength(1);
    expect(await scene.client.exists('/locks/pay')).toBeUndefined();
  });

  it('is asked about each time on production, after the permission', async () => {
    scene = apiScene({ environment: 'production' });
    await (await scene.api.acquireTestLock(wanted)).release();
    await (await scene.api.acquireTestLock(wanted)).release();
    expect(scene.person.asked).toHaveLength(3);
    expect(scene.person.asked[1]).toContain('production cluster "orders"');
    expect(scene.person.asked[1]).toContain('Example.deployer');
    scene.person.answers = false;
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('CANCELLED');
    expect(scene.testLocks.all).toEqual([]);
  });

  it('is not taken when the cluster became another one while the question was open', async () => {
    scene = apiScene({ environment: 'production' });
    scene.person.onAsked = () => {
      scene.node.profile = profileNamed('orders', { environment: 'production', connectString: 'other:2181' });
    };
    scene.state.set('allowedExtensions', ['example.deployer']);
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('CANCELLED');
    scene.person.onAsked = () => void (scene.node.profile = { ...scene.node.profile, readOnly: true });
    expect(await codeOf(scene.api.acquireTestLock(request({ path: '/locks/c' })))).toBe('CANCELLED');
    scene.node.profile = { ...scene.node.profile, readOnly: false };
    scene.person.onAsked = () => void (scene.connection.client = undefined);
    expect(await codeOf(scene.api.acquireTestLock(request({ path: '/locks/d' })))).toBe('NOT_CONNECTED');
    scene.connection.client = scene.client;
    scene.person.onAsked = () => void scene.clusters.pop();
    expect(await codeOf(scene.api.acquireTestLock(request({ path: '/locks/b' })))).toBe('UNKNOWN_CLUSTER');
  });

  it('is refused on a read-only cluster before anybody is asked', async () => {
    scene = apiScene({ readOnly: true });
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('READ_ONLY');
    expect(scene.person.asked).toEqual([]);
  });

  it('is refused where this window holds the lock, times out where somebody else does, and can be cancelled', async () => {
    await scene.api.acquireTestLock(wanted);
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('SELF_BLOCKED');
    scene.client.put('/locks/taken', { owner: 0x77n });
    expect(await codeOf(scene.api.acquireTestLock(request({ path: '/locks/taken' })))).toBe('TIMEOUT');
    const abort = new AbortController();
    const waiting = codeOf(
      scene.api.acquireTestLock(request({ path: '/locks/taken', timeoutMs: 60_000, signal: abort.signal })),
    );
    await eventually(() => expect(scene.testLocks.all).toHaveLength(2));
    abort.abort();
    expect(await waiting).toBe('CANCELLED');
    expect(await codeOf(scene.api.acquireTestLock(request({ path: '/x', signal: abort.signal })))).toBe('CANCELLED');
  });

  it('is one of twenty at most', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/locks/${String(index)}`);
    const locks = await Promise.all(paths.map(path => scene.api.acquireTestLock(request({ path }))));
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('TOO_MANY');
    await locks[0]!.release();
    expect(await codeOf(scene.api.acquireTestLock(wanted))).toBe('none');
  });

  it.each([
    undefined,
    5,
    { ...wanted, extensionId: undefined },
    { ...wanted, extensionId: 'x'.repeat(201) },
    { ...wanted, clusterId: 7 },
    { ...wanted, path: 'locks' },
    { ...wanted, path: '/a\0b' },
    { ...wanted, recipe: 'several' },
    { ...wanted, recipe: 'toString' },
    { ...wanted, maxLeases: 0 },
    { ...wanted, identifier: '' },
    { ...wanted, identifier: 'a\nb' },
    { ...wanted, timeoutMs: -1 },
    { ...wanted, timeoutMs: Number.NaN },
    { ...wanted, autoReleaseMs: 999 },
    { ...wanted, autoReleaseMs: 3_600_001 },
    { ...wanted, autoReleaseMs: Number.POSITIVE_INFINITY },
    { ...wanted, signal: {} },
  ])('is refused when the request cannot be used: %#', async wrong => {
    expect(await codeOf(scene.api.acquireTestLock(wrong as ApiLockRequest))).toBe('BAD_REQUEST');
    expect(scene.person.asked).toEqual([]);
  });
});

describe('the example of the documentation', () => {
  it('is the text of the file that is compiled and run here', () => {
    const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
    const example = read('apiExample.ts').replace('../../../../src/app/api/api.ts', './zookeeperLocksApi');
    expect(read('../../../../docs/api.md')).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  });

  it('runs a task under the lock, and says who is in the way', async () => {
    const { name, publisher } = JSON.parse(
      readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
    ) as Record<string, string>;
    expect(await withLock('/locks/pay', () => Promise.resolve())).toContain('not installed');
    const id = `${publisher!}.${name!}`;
    // The fake server numbers no nodes, and nobody waits 5 s in a test.
    const { api } = scene;
    const acquireTestLock: typeof api.acquireTestLock = one =>
      api.acquireTestLock({ ...one, recipe: 'exclusive', timeoutMs: 0 });
    installed.set(id, { id, activate: () => Promise.resolve({ ...api, acquireTestLock }) });
    const signals: boolean[] = [];
    const outcome = await withLock('/locks/pay', signal => Promise.resolve(void signals.push(signal.aborted)));
    expect(outcome).toMatch(/^done under fencing token 0x[0-9a-f]+, the lock is still held$/);
    expect(signals).toEqual([false]);
    expect(scene.testLocks.all).toEqual([]);
    scene.client.put('/locks/taken', { data: 'worker-1', owner: 2n });
    expect(await withLock('/locks/taken', () => Promise.reject(new Error('not reached')))).toBe('held by worker-1');
    installed.delete(id);
  });
});
