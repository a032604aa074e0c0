import { once } from 'node:events';
import { ClientRequest, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { openSocket, prepareTls, type DialTarget, type TlsOptions } from '../../zookeeper/openSocket.ts';
import type { ClusterServer } from './clusterServers.ts';
import type { SourceOutcome, SourceReport } from './ownerFacts.ts';
import { parseBigJson } from './parseAnswers.ts';
import { withinLimits, type Failure, type Limits } from './withinLimits.ts';

/** Where the AdminServers of a cluster listen. The host is always that of the server itself. */
interface AdminServerOptions {
  /** One port for all, or one per server by `host:port` of its client port; servers without one are not asked. */
  port: number | ReadonlyMap<string, number>;
}

/** How the servers may be asked. */
export interface AskOptions extends Limits {
  /** Opt-in: without it no AdminServer is contacted. */
  adminServer?: AdminServerOptions;
  /** Whether four-letter words are sent where the AdminServer does not answer; default true. */
  fourLetterWords?: boolean;
  /** Of the cluster's connections, for four-letter words on a TLS port. */
  tls?: TlsOptions;
  /** Of one answer; default 8 MB. */
  maxBytes?: number;
}

/** The only commands that an AdminServer is asked for. */
type AdminCommand = 'connections' | 'dump' | 'watches_by_path' | 'monitor' | 'server_stats' | 'configuration';

/** The only four-letter words that are sent. */
type FourLetterWord = 'cons' | 'dump' | 'wchp' | 'mntr' | 'srvr' | 'conf';

/** One question in both languages. The parsers return `undefined` for text that is no such answer. */
export interface Question<T> {
  name: SourceReport['question'];
  command: AdminCommand;
  word: FourLetterWord;
  fromAdmin(answer: unknown, server: string): T | undefined;
  /** A long answer may take turns of the event loop. */
  fromWord(text: string, server: string): T | undefined | Promise<T | undefined>;
  /** Whether an answer shows that it comes from another cluster: it does not count then. */
  isForeign?(value: T): boolean;
}

/** What one server answered, if it did, and how every attempt ended. */
export interface Asked<T> {
  server: string;
  value: T | undefined;
  sources: SourceReport[];
}

/** An answer, or why there is none. */
type Answer = { text: string } | Failure;

const defaultMaxBytes = 8 * 1024 * 1024;

/** Asks one server: its AdminServer if that is allowed; if not, or if it does not answer, by the four-letter word. */
export async function askServer<T>(
  address: ClusterServer,
  question: Question<T>,
  options: AskOptions,
): Promise<Asked<T>> {
  const server = `${address.host}:${address.port}`;
  const asked: Asked<T> = { server, value: undefined, sources: [] };
  type Parse = (text: string) => T | undefined | Promise<T | undefined>;
  const take = async (by: SourceReport['by'], answer: Answer, parse: Parse): Promise<void> => {
    const value = 'text' in answer ? await parse(answer.text) : undefined;
    const outcome = 'text' in answer ? judged(value, question) : answer.outcome;
    asked.value = outcome === 'ok' ? value : undefined;
    const detail = 'text' in answer ? '' : (answer.detail ?? '');
    asked.sources.push({ server, by, question: question.name, outcome, detail });
  };
  if (address.refusal !== undefined) {
    await take('four-letter-word', address.refusal, () => undefined);
    return asked;
  }
  const { adminServer } = options;
  const port = typeof adminServer?.port === 'object' ? adminServer.port.get(server) : adminServer?.port;
  if (adminServer !== undefined && port !== undefined) {
    const answer = await askAdminServer({ ...address, port }, question.command, options);
    await take('admin-server', answer, text => parseAdmin(text, question, server));
  }
  if (asked.value === undefined && options.fourLetterWords !== false) {
    const answer = await askFourLetter(address, question.word, options);
    await take('four-letter-word', answer, text => question.fromWord(text, server));
  }
  return asked;
}

function judged<T>(value: T | undefined, question: Question<T>): SourceOutcome {
  if (value === undefined) return 'malformed';
  return question.isForeign?.(value) === true ? 'foreign' : 'ok';
}

function parseAdmin<T>(text: string, question: Question<T>, server: string): T | undefined {
  try {
    return question.fromAdmin(parseBigJson(text), server);
  } catch {
    // Not JSON: some other program listens on that port.
    return undefined;
  }
}

/**
 * Asks an AdminServer: one GET, no redirect is followed, no credentials are sent.
 *
 * Dialled by `openSocket`, as everything is. VS Code gives extensions an `http.request` of its own (not those that are ES modules,
 * so far) that leaves name and connection to the proxy of its settings.
 *
 * Never rejects: the answer says what went wrong.
 */
function askAdminServer(server: DialTarget, command: AdminCommand, options: AskOptions): Promise<Answer> {
  return withinLimits<Answer>(options, async signal => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { host, port } = server;
    const path = `/commands/${command}`;
    const headers = { accept: 'application/json' };
    // Without an agent no connection is kept, and none is shared.
    const createConnection = () => openSocket(server, undefined);
    const sent = new ClientRequest({ host, port, path, method: 'GET', signal, headers, createConnection }, resolve);
    sent.on('error', reject);
    sent.end();
    const reply = await promise;
    try {
      return await readReply(reply, options.maxBytes);
    } finally {
      reply.destroy();
    }
  });
}

async function readReply(reply: IncomingMessage, maxBytes: number | undefined): Promise<Answer> {
  const status = reply.statusCode ?? 0;
  if (status >= 300 && status < 400) return { outcome: 'redirected', detail: reply.headers.location ?? '' };
  if (status === 401 || status === 403) return { outcome: 'not-allowed', detail: `HTTP ${status}` };
  if (status !== 200) return { outcome: 'malformed', detail: `HTTP ${status}` };
  const text = await collect(reply, maxBytes);
  return text === undefined ? { outcome: 'too-large' } : { text };
}

/**
 * Sends a four-letter word to a server of the cluster, on the port that clients use.
 *
 * Never rejects: the answer says what went wrong.
 */
function askFourLetter(server: DialTarget, word: FourLetterWord, options: AskOptions): Promise<Answer> {
  const { tls } = options;
  return withinLimits<Answer>(options, async signal => {
    const socket = openSocket(server, tls && prepareTls(tls));
    const end = (): void => void socket.destroy(new Error('It took too long.'));
    signal.addEventListener('abort', end);
    // An error between the two waits below is reported by the second.
    socket.on('error', () => undefined);
    try {
      await once(socket, tls === undefined ? 'connect' : 'secureConnect', { signal });
      socket.write(word);
      const text = await collect(socket, options.maxBytes);
      return text === undefined ? { outcome: 'too-large' } : judgeWordAnswer(text);
    } finally {
      signal.removeEventListener('abort', end);
      socket.destroy();
    }
  });
}

function judgeWordAnswer(text: string): Answer {
  if (text.includes('is not executed because it is not in the whitelist')) return { outcome: 'not-allowed' };
  if (text.startsWith('This ZooKeeper instance is not currently serving requests')) return { outcome: 'not-serving' };
  // A server that does not support the word, or is no ZooKeeper, closes the connection or sends something else.
  return { text };
}

/** @returns what a server sends until its end; `undefined` once it is more than `maxBytes` */
async function collect(stream: Readable, maxBytes = defaultMaxBytes): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the stream.
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
