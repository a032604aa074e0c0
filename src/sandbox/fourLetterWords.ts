import { monotonicNow } from '../base/deadline.ts';
import { sessionText } from '../base/sessionText.ts';
import type { ClientConnection } from './clientConnection.ts';
import type { DataTree } from '../dataTree/dataTree.ts';
import type { Session, SessionTable } from '../dataTree/sessionTable.ts';
import type { WatchTable } from '../dataTree/watchTable.ts';
import { Op } from '../zookeeper/wire/records.ts';

/** Of the server that the sandbox behaves like, and what it is. */
const version = '3.9.5-sandbox, in memory, on this machine only';

/** What `conf` shows. Times in ms. */
export interface ShownSettings {
  port: number;
  tickTimeMs: number;
  minSessionTimeoutMs: number;
  maxSessionTimeoutMs: number;
}

/** What the words speak of. */
export interface ServerFacts {
  readonly settings: ShownSettings;
  readonly tree: DataTree;
  readonly sessions: SessionTable;
  readonly watches: WatchTable<ClientConnection>;
  readonly connections: ReadonlySet<ClientConnection>;
  /** Of all connections since the start. */
  readonly packets: { received: number; sent: number };
  /** When a connection ends unless its client gives a sign of life, ms of the monotonic clock. */
  endOf(connection: ClientConnection): number;
}

/** The answers in the layout of a lone ZooKeeper 3.9 (org.apache.zookeeper.server.command). */
const words: Readonly<Record<string, (facts: ServerFacts) => string>> = {
  ruok: () => 'imok',
  isro: () => 'rw',
  srvr: facts => `Zookeeper version: ${version}\n${statistics(facts)}`,
  stat: facts => {
    const clients = lines(facts.connections, connection => ` ${connectionText(connection)}\n`);
    return `Zookeeper version: ${version}\nClients:\n${clients}\n${statistics(facts)}`;
  },
  cons: ({ connections }) => `${lines(connections, connection => ` ${connectionText(connection, true)}\n`)}\n`,
  dump: facts =>
    `SessionTracker dump:\n${sessionDump(facts)}ephemeral nodes dump:\n${ephemeralDump(facts)}${connectionDump(facts)}`,
  wchs: ({ watches: { byWatcher, byPath, counts } }) =>
    `${byWatcher.size} connections watching ${byPath.size} paths\nTotal watches:${counts.data}\n`,
  wchc: ({ watches }) =>
    `${lines(watches.byWatcher, ([watcher, paths]) => `${idOf(watcher)}\n${lines(paths, path => `\t${path}\n`)}`)}\n`,
  wchp: ({ watches }) =>
    `${lines(watches.byPath, ([path, watchers]) => `${path}\n${lines(watchers.keys(), watcher => `\t${idOf(watcher)}\n`)}`)}\n`,
  mntr: facts => lines(Object.entries(measures(facts)), ([name, value]) => `zk_${name}\t${value}\n`),
  conf: ({ settings }) =>
    lines(
      Object.entries({
        clientPort: settings.port,
        secureClientPort: -1,
        tickTime: settings.tickTimeMs,
        maxClientCnxns: 0,
        minSessionTimeout: settings.minSessionTimeoutMs,
        maxSessionTimeout: settings.maxSessionTimeoutMs,
        // Of a lone server; its session ids begin with 1 all the same.
        serverId: 0,
      }),
      ([name, value]) => `${name}=${value}\n`,
    ),
  envi: () =>
    `Environment:\nzookeeper.version=${version}\nhost.name=localhost\nos.name=${process.platform}\nos.arch=${process.arch}\n`,
};

/** @returns the answer to a four-letter word; `undefined` for a word that is none */
export function fourLetterAnswer(word: string, facts: ServerFacts): string | undefined {
  return Object.hasOwn(words, word) ? words[word]?.(facts) : undefined;
}

/** Names of requests in `cons` (FinalRequestProcessor.java). */
const operationNames = new Map<number, string>([
  [Op.ping, 'PING'],
  [Op.multi, 'MULT'],
  [Op.multiRead, 'MLTR'],
  [Op.create, 'CREA'],
  [Op.create2, 'CREA'],
  [Op.createContainer, 'CREA'],
  [Op.createTtl, 'CREA'],
  [Op.delete, 'DELE'],
  [Op.deleteContainer, 'DELE'],
  [Op.setData, 'SETD'],
  [Op.setAcl, 'SETA'],
  [Op.closeSession, 'CLOS'],
  [Op.sync, 'SYNC'],
  [Op.exists, 'EXIS'],
  [Op.getData, 'GETD'],
  [Op.getAcl, 'GETA'],
  [Op.getChildren, 'GETC'],
  [Op.getChildren2, 'GETC'],
  [Op.getAllChildrenNumber, 'GETACN'],
  [Op.setWatches, 'SETW'],
  [Op.setWatches2, 'STW2'],
  [Op.addWatch, 'ADDW'],
  [Op.checkWatches, 'CHKW'],
  [Op.removeWatches, 'REMW'],
  [Op.whoAmI, 'HOMI'],
  [Op.getEphemerals, 'GETE'],
]);

/** @returns the name by which `cons` knows a request */
export function operationName(op: number): string {
  return operationNames.get(op) ?? 'NA';
}

function lines<T>(values: Iterable<T>, text: (value: T) => string): string {
  return Array.from(values, text).join('');
}

function idOf({ session }: ClientConnection): string {
  return sessionText(session?.sessionId ?? 0n);
}

function connectionText(connection: ClientConnection, isLong = false): string {
  const { traffic, session } = connection;
  const counts = `queued=0,recved=${traffic.received},sent=${traffic.sent}`;
  const start = `/${connection.name}[${session === undefined ? 0 : 1}](${counts}`;
  if (!isLong || session === undefined) return `${start})`;
  const times = `est=${connection.openedAt},to=${session.timeoutMs}`;
  const cxid = traffic.lastCxid < 0 ? '' : `,lcxid=0x${traffic.lastCxid.toString(16)}`;
  const last = `${cxid},lzxid=${sessionText(traffic.lastZxid)},lresp=${Math.round(traffic.lastResponseAt)}`;
  const latency = 'llat=0,minlat=0,avglat=0,maxlat=0';
  return `${start},sid=${idOf(connection)},lop=${traffic.lastOperation},${times}${last},${latency})`;
}

function statistics({ packets, connections, tree }: ServerFacts): string {
  return (
    `Latency min/avg/max: 0/0.0/0\nReceived: ${packets.received}\nSent: ${packets.sent}\n` +
    `Connections: ${connections.size}\nOutstanding: 0\nZxid: ${sessionText(tree.lastZxid)}\n` +
    `Mode: standalone\nNode count: ${tree.size}\n`
  );
}

function measures({ packets, connections, tree, sessions, watches }: ServerFacts): Record<string, string | number> {
  const ephemerals = [...tree.ephemerals.values()].reduce((sum, paths) => sum + paths.size, 0);
  return {
    version,
    server_state: 'standalone',
    packets_received: packets.received,
    packets_sent: packets.sent,
    num_alive_connections: connections.size,
    outstanding_requests: 0,
    znode_count: tree.size,
    watch_count: watches.counts.all,
    ephemerals_count: ephemerals,
    global_sessions: sessions.size,
  };
}

/** As `Date` of Java prints it, by the clock of Greenwich. */
function javaDate(time: number): string {
  const [, weekday = '', day = '', month = '', year = '', clock = ''] =
    /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(new Date(time).toUTCString()) ?? [];
  return `${weekday} ${month} ${day} ${clock} GMT ${year}`;
}

/** What ends unless there is a sign of life, by the moment (ExpiryQueue.dump). */
function endings<T>(all: Iterable<T>, endOf: (each: T) => number, text: (each: T) => string): string {
  const byEnd = Map.groupBy(all, endOf);
  const ends = [...byEnd].sort(([one], [other]) => one - other);
  const count = ends.reduce((sum, [, ending]) => sum + ending.length, 0);
  const groups = lines(ends, ([at, ending]) => {
    return `${ending.length} expire at ${javaDate(Date.now() + at - monotonicNow())}:\n${lines(ending, text)}`;
  });
  return `(${byEnd.size})/(${count}):\n${groups}`;
}

function sessionDump({ sessions }: ServerFacts): string {
  const text = ({ sessionId }: Session): string => `\t${sessionText(sessionId)}\n`;
  return `Session Sets ${endings(sessions.all, ({ expiresAt }) => expiresAt, text)}`;
}

function ephemeralDump({ tree }: ServerFacts): string {
  const text = lines(
    tree.ephemerals,
    ([session, paths]) => `${sessionText(session)}:\n${lines(paths, path => `\t${path}\n`)}`,
  );
  return `Sessions with Ephemerals (${tree.ephemerals.size}):\n${text}`;
}

function connectionDump(facts: ServerFacts): string {
  const text = (each: ClientConnection): string => `\tip: /${each.name} sessionId: ${idOf(each)}\n`;
  return `Connections dump:\nConnections Sets ${endings(facts.connections, each => facts.endOf(each), text)}`;
}
