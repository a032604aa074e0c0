import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ServerAddress } from '../../zookeeper/connectString.ts';
import { collect, defaultMaxBytes, limited, type Answer, type AnswerLimits } from './limitedAnswer.ts';

/** Where the AdminServers of a cluster listen. The host is always that of the server itself. */
export interface AdminServerOptions {
  /** One port for all, or one per server by `host:port` of its client port; servers without one are not asked. */
  port: number | ReadonlyMap<string, number>;
  /** Default `http`. */
  scheme?: 'http' | 'https';
  /** PEM; for `https`. */
  ca?: string;
}

/** The only commands that are ever asked for. */
export type AdminCommand = 'connections' | 'dump' | 'watches_by_path';

/** @returns the port to ask, `undefined` if there is none for this server */
export function adminPortOf(server: ServerAddress, options: AdminServerOptions): number | undefined {
  return typeof options.port === 'number' ? options.port : options.port.get(`${server.host}:${server.port}`);
}

/**
 * Asks the AdminServer of one server of the cluster: one GET, no redirect is followed, no credentials are sent.
 *
 * Never rejects: what went wrong is part of the answer.
 */
export function askAdminServer(
  server: ServerAddress,
  command: AdminCommand,
  options: AdminServerOptions,
  limits: AnswerLimits,
): Promise<Answer> {
  const port = adminPortOf(server, options);
  if (port === undefined) return Promise.resolve({ outcome: 'not-attempted', detail: '' });
  return limited(limits, async signal => {
    const reply = await get(server.host, port, `/commands/${command}`, options, signal);
    try {
      return await read(reply, limits.maxBytes ?? defaultMaxBytes);
    } finally {
      reply.destroy();
    }
  });
}

function get(
  host: string,
  port: number,
  path: string,
  { scheme, ca }: AdminServerOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // No agent: no connection is kept, and none is shared.
  const plan = { host, port, path, method: 'GET', signal, agent: false, headers: { accept: 'application/json' } };
  const sent =
    scheme === 'https'
      ? httpsRequest({ ...plan, ...(ca === undefined ? {} : { ca }) }, resolve)
      : httpRequest(plan, resolve);
  sent.on('error', reject);
  sent.end();
  return promise;
}

async function read(reply: IncomingMessage, maxBytes: number): Promise<Answer> {
  const status = reply.statusCode ?? 0;
  if (status >= 300 && status < 400) return { outcome: 'redirected', detail: reply.headers.location ?? '' };
  if (status === 401 || status === 403) return { outcome: 'not-allowed', detail: `HTTP ${status}` };
  if (status !== 200) return { outcome: 'malformed', detail: `HTTP ${status}` };
  const text = await collect(reply, maxBytes);
  return text === undefined ? { outcome: 'too-large', detail: '' } : { outcome: 'ok', text };
}
