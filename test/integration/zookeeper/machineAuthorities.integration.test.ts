import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthority } from '../../support/tlsMaterial.ts';

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zookeeper-authorities-'));
  const authority = await createAuthority(folder);
  server = createServer(await authority.issue({ name: 'server', altNames: 'DNS:localhost' }), socket => socket.end());
  server.on('tlsClientError', () => undefined);
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve));
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** In a process of its own: the system's certificates are read once. */
async function dial(certificates: string): Promise<string> {
  const program = fileURLToPath(new URL('../../support/openVerifiedSocket.ts', import.meta.url));
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, SSL_CERT_FILE: certificates };
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(port)], { env });
  return stdout.trim();
}

// SSL_CERT_FILE stands in for the system's store where OpenSSL reads that; elsewhere it belongs to the person's account.
it.runIf(process.platform === 'linux')(
  'a server is verified by an authority that the operating system trusts',
  async () => {
    expect(await dial(join(folder, 'ca.pem'))).toBe('verified');
    expect(await dial(join(folder, 'none.pem'))).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  },
);
