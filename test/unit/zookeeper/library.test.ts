import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { decodeHandshake, encodeHandshake, LibraryState, Xid } from '../../../src/zookeeper/library.ts';
import { connectReply } from '../../support/fakeServer.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const require = createRequire(import.meta.url);

type Fields = Record<string, unknown>;
type ConnectionClass = new (connectString: string, options: Fields, stateListener: () => void) => Fields;
/** The class itself: the product's own declarations of it cannot vouch for themselves. */
const ConnectionManager = require('node-zookeeper-client/lib/ConnectionManager.js') as ConnectionClass;

function packageVersions(): { wanted: unknown; locked: unknown; installed: unknown } {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;
  const manifest = read(`${root}package.json`);
  const lock = read(`${root}package-lock.json`)['packages']!['node_modules/node-zookeeper-client'] as {
    version: string;
  };
  return {
    wanted: { ...manifest['dependencies'], ...manifest['devDependencies'] }['node-zookeeper-client'],
    locked: lock.version,
    installed: read(require.resolve('node-zookeeper-client/package.json'))['version'],
  };
}

it('is pinned to exactly the version whose private fields we know', () => {
  expect(packageVersions()).toEqual({ wanted: '1.1.3', locked: '1.1.3', installed: '1.1.3' });
});

it('is imported in exactly one file of the product', async () => {
  const files = await readdir(`${root}src`, { recursive: true });
  const importing = files.filter(
    file =>
      /(?<!\.d)\.ts$/.test(file) && readFileSync(`${root}src/${file}`, 'utf8').includes("from 'node-zookeeper-client"),
  );
  expect(importing.map(file => file.replaceAll('\\', '/'))).toEqual(['zookeeper/library.ts']);
});

it('has the private fields that the sub-class keeps', () => {
  const fields = new ConnectionManager('localhost:2181', { sessionTimeout: 900, spinDelay: 0, retries: 0 }, () => 0);
  expect(fields).toMatchObject({
    servers: [{ host: 'localhost', port: '2181' }],
    nextServerIndex: 0,
    state: 0,
    sessionTimeout: 900,
    pingTimeout: 300,
    credentials: [],
  });
  for (const [field, length] of [
    ['sessionId', 8],
    ['sessionPassword', 16],
    ['zxid', 8],
  ] as const) {
    expect(fields[field], field).toEqual(Buffer.alloc(length));
  }
  expect(fields['pendingBuffer']).toBeNull();
});

it('has the methods that the sub-class overrides or calls, with the arguments that it expects', () => {
  const arity = {
    connect: 0,
    close: 0,
    addAuthInfo: 2,
    updateTimeout: 1,
    setState: 1,
    findNextServer: 1,
    onSocketData: 1,
    onSocketClosed: 1,
    onSocketError: 1,
    onSocketTimeout: 0,
    onPacketQueueReadable: 0,
    queue: 2,
  };
  const methods = ConnectionManager.prototype as Record<string, (...args: unknown[]) => unknown>;
  const found = Object.keys(arity).map(name => [name, methods[name]?.length]);
  expect(Object.fromEntries(found)).toEqual(arity);
});

it('names states and reserved xids as the sub-class understands them', () => {
  expect(LibraryState).toEqual({
    DISCONNECTED: 0,
    CONNECTING: 1,
    CONNECTED: 2,
    CONNECTED_READ_ONLY: 3,
    CLOSING: -1,
    CLOSED: -2,
    SESSION_EXPIRED: -3,
    AUTHENTICATION_FAILED: -4,
  });
  expect(Xid).toEqual({ notification: -1, ping: -2, auth: -4, setWatches: -8, sasl: 0 });
});

it('writes the connect request byte for byte', () => {
  const frame = encodeHandshake(
    Buffer.from('0000000000000009', 'hex'),
    600,
    Buffer.from('8000000000000001', 'hex'),
    Buffer.alloc(16, 0xaa),
  );
  const fields = ['00000000', '0000000000000009', '00000258', '8000000000000001', '00000010', 'aa'.repeat(16), '00'];
  expect(frame.toString('hex')).toBe(`0000002d${fields.join('')}`);
});

it('reads the connect reply, with and without the read-only flag', () => {
  const reply = connectReply({ sessionId: -2n, timeoutMs: 600, readOnly: true });
  expect(decodeHandshake(reply)?.sessionTimeoutMs).toBe(600);
  expect(decodeHandshake(reply)?.sessionId.readBigInt64BE(0)).toBe(-2n);
  expect(decodeHandshake(reply.subarray(0, 36))?.sessionTimeoutMs).toBe(600);
});

it.each([
  ['too short', (reply: Buffer) => reply.subarray(0, 35)],
  ['too long', (reply: Buffer) => Buffer.concat([reply, reply])],
  ['empty', () => Buffer.alloc(0)],
  ['another protocol version', (reply: Buffer) => (reply.writeInt32BE(1, 0), reply)],
  ['another password length', (reply: Buffer) => (reply.writeInt32BE(2_000_000_000, 16), reply)],
])('takes no handshake reply that is %s', (_, change) => {
  expect(decodeHandshake(change(connectReply({ sessionId: 1n, timeoutMs: 600 })))).toBeUndefined();
});
