import { describe, expect, it, vi } from 'vitest';
import { RowGone } from '../../../../src/app/clusters/clusterErrors.ts';
import { contenderNodes } from '../../../../src/app/clusters/clusterModel.ts';
import { sessionTarget } from '../../../../src/extension/commands/sessionCommand.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { NothingToDo } from '../../../../src/extension/platform/errorReporting.ts';
import { eventually } from '../../../support/eventually.ts';
import { onScreen, playInputs } from '../dialogs/scriptedInput.ts';
import { clusterNode, contender, lockNode, queueOf } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const cluster = clusterNode();
const [owned, persistent, unread] = contenderNodes(
  lockNode(
    queueOf([
      contender('a', { role: 'holder', ownerSession: -1n }),
      contender('b', { ownerSession: 0n }),
      contender('c', { ownerSession: 0n, isUnread: true }),
    ]),
    cluster,
  ),
);

function targetOf(argument: unknown, ownSession?: bigint) {
  const follow = () => ({ dispose: () => undefined });
  const registry = {
    all: [{ node: cluster }],
    get: (id: string) => (id === 'orders' ? { node: cluster } : undefined),
    onChange: follow,
    onNodeChange: follow,
  };
  const targets = new Targets(registry as never, {} as never, { inform: () => undefined });
  // As `registerBlockers` does.
  targets.alsoTake(row => ('lock' in row ? row.lock : undefined));
  const parts = {
    registry,
    targets,
    ownLocks: { sessionOf: (id: string) => (id === 'orders' ? ownSession : undefined) },
  };
  return sessionTarget(parts as unknown as Parameters<typeof sessionTarget>[0], argument);
}

const session = (id: bigint) => ({ cluster, subject: { kind: 'session', id } });

describe('whose page Show Session opens', () => {
  it('is that of the row of a holder or waiter', async () => {
    expect(await targetOf(owned)).toEqual(session(-1n));
    await expect(targetOf(persistent)).rejects.toThrow(new NothingToDo('No session owns this node: it stays until it is deleted.')); // prettier-ignore
    await expect(targetOf(unread)).rejects.toThrow(/may not be read/u);
    await expect(targetOf(owned!.lock)).rejects.toThrow(NothingToDo);
  });

  it('is that of a row of the view Blockers', async () => {
    const { lock } = owned!;
    expect(await targetOf({ type: 'blocker', kind: 'root', cluster, session: 5n, lock })).toEqual(session(5n));
    expect(await targetOf({ type: 'blockerWait', cluster, session: -1n, lock })).toEqual(session(-1n));
    expect(await targetOf({ type: 'blockerWait', cluster, session: 5n, lock: undefined })).toEqual(session(5n));
    await expect(targetOf({ type: 'blockerLock', cluster, lock })).rejects.toThrow(/^Select a holder/u);
    await expect(targetOf({ type: 'blocker', kind: 'cycle', cluster, lock: undefined })).rejects.toThrow(/^Select/u);
  });

  it('is none of a row of Blockers whose node has no session, or whose cluster was removed', async () => {
    const { lock } = owned!;
    const row = { type: 'blocker', kind: 'root', cluster, lock };
    await expect(targetOf({ ...row, contender: persistent!.contender })).rejects.toThrow(/^No session owns/u);
    await expect(targetOf({ ...row, contender: unread!.contender })).rejects.toThrow(/may not be read/u);
    await expect(targetOf({ ...row, cluster: { id: 'gone' }, session: 5n })).rejects.toThrow(RowGone);
    await expect(targetOf({ ...row, cluster: clusterNode(), session: 5n })).rejects.toThrow(RowGone);
  });

  it('is that of a test lock: the session that this window has for all of them', async () => {
    const testLock = { type: 'testLock', id: '1', request: { cluster, paths: ['/a'] }, state: { kind: 'connecting' } };
    expect(await targetOf(testLock, 9n)).toEqual(session(9n));
    await expect(targetOf(testLock)).rejects.toThrow(/has no session/u);
  });

  it('is that which is named', async () => {
    expect(await targetOf({ cluster: 'orders', session: '0x1F' })).toEqual(session(0x1fn));
    expect((await targetOf({ cluster: 'orders', address: '[::1]:7' })).subject).toEqual({ kind: 'address', address: '::1' }); // prettier-ignore
    expect((await targetOf({ cluster: 'orders', identifier: 'a' })).subject).toMatchObject({ identifier: 'a' });
    await expect(targetOf({ cluster: 'gone', session: '0x1' })).rejects.toThrow(RowGone);
  });

  it('is, without a row, what the person finds: no locks, and those that hold most first', async () => {
    playInputs(['none']);
    const asked = targetOf(undefined);
    await eventually(() => expect([...onScreen][0]?.listed).not.toEqual([]));
    const [input] = onScreen;
    expect(input!.title).toBe('Show Session');
    expect(input!.listed.map(({ label, description }) => [label, description])).toEqual([
      ['$(plug) 0xffffffffffffffff', expect.stringContaining('nodes that hold: 1 · orders')],
    ]);
    input!.selectedItems = [...input!.listed];
    input!.fire('accept');
    expect(await asked).toEqual(session(-1n));
  });

  it('is, without a row, that of a pasted id, with Enter right behind it', async () => {
    playInputs([{ type: 'WARN lost 0xabc' }]);
    expect(await targetOf(undefined)).toEqual(session(0xabcn));
  });

  it.each([7, 'orders', [], {}, { cluster: 'orders' }, { cluster: 'orders', session: '7' }, { cluster: 7, session: '0x1' }, { cluster: 'orders', session: '0x1', address: 'a' }, { cluster: 'orders', identifier: 'x'.repeat(1_000_000) }, { type: 'blocker' }, { type: 'testLock' }])(
    'is none for another argument: %#',
    async argument => {
      await expect(targetOf(argument)).rejects.toThrow(NothingToDo);
    },
  ); // prettier-ignore
});
