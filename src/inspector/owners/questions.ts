import type { TlsOptions } from '../../zookeeper/openSocket.ts';
import { adminPortOf, askAdminServer, type AdminCommand, type AdminServerOptions } from './askAdminServer.ts';
import { askFourLetter, type FourLetterWord } from './askFourLetter.ts';
import type { Answer, AnswerLimits } from './limitedAnswer.ts';
import type { ClusterServer } from './clusterServers.ts';
import type { SourceOutcome, SourceReport } from './ownerFacts.ts';
import { parseBigJson } from './parseBigJson.ts';

/** How the servers may be asked. */
export interface AskOptions extends AnswerLimits {
  /** Opt-in: without it no AdminServer is contacted. */
  adminServer?: AdminServerOptions;
  /** Whether four-letter words are sent where the AdminServer does not answer; default true. */
  fourLetterWords?: boolean;
  /** Of the cluster's connections, for four-letter words on a TLS port. */
  tls?: TlsOptions;
}

/** One question in both languages. The parsers give `undefined` for what is no such answer. */
export interface Question<T> {
  name: SourceReport['question'];
  command: AdminCommand;
  word: FourLetterWord;
  fromAdmin(answer: unknown, server: string): T | undefined;
  fromWord(text: string, server: string): T | undefined;
  /** Whether an answer shows that it is of another cluster: it does not count then. */
  isForeign?(value: T): boolean;
}

/** What one server answered, if it did, and how every attempt ended. */
export interface Asked<T> {
  server: string;
  value: T | undefined;
  sources: SourceReport[];
}

/** Asks one server: its AdminServer if that is allowed, else, or if it does not answer, by the four-letter word. */
export async function askServer<T>(
  address: ClusterServer,
  question: Question<T>,
  options: AskOptions,
): Promise<Asked<T>> {
  const server = `${address.host}:${address.port}`;
  const asked: Asked<T> = { server, value: undefined, sources: [] };
  const { adminServer, tls } = options;
  const take = (by: SourceReport['by'], answer: Answer, parse: (text: string) => T | undefined): void => {
    const value = answer.outcome === 'ok' ? parse(answer.text) : undefined;
    const outcome = answer.outcome === 'ok' ? judged(value, question) : answer.outcome;
    asked.value = outcome === 'ok' ? value : undefined;
    const detail = answer.outcome === 'ok' ? '' : answer.detail;
    asked.sources.push({ server, by, question: question.name, outcome, detail });
  };
  if (address.isOwnMachine === true) {
    take('four-letter-word', { outcome: 'own-machine', detail: '' }, () => undefined);
    return asked;
  }
  if (adminServer !== undefined && adminPortOf(address, adminServer) !== undefined) {
    const answer = await askAdminServer(address, question.command, adminServer, options);
    take('admin-server', answer, text => parseAdmin(text, question, server));
  }
  if (asked.value === undefined && options.fourLetterWords !== false) {
    const answer = await askFourLetter(address, question.word, options, tls);
    take('four-letter-word', answer, text => question.fromWord(text, server));
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
