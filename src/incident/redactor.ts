import { lastSegment } from '../base/paths.ts';
import type { Interruptible } from '../base/interruptible.ts';
import type { OwnerConnection, OwnerFacts, RecordedOwner, SourceReport } from '../inspector/owners/ownerFacts.ts';
import type { WatchFacts } from '../inspector/owners/readWatchers.ts';
import type { JournalEntry, JournalNode, JournalSession } from '../journal/entry.ts';
import { matchName } from '../locks/libraries/registry.ts';
import type { ChildNode, LockDirectory } from '../locks/lockDirectory.ts';
import { recognisingQueues } from '../locks/recognition/recognise.ts';
import { present } from './lineFields.ts';
import { hostsIn, redactedData, textsIn } from './redactedData.ts';
import { RedactedPaths, RedactedTerms, upwards } from './redactedNames.ts';
import { addressParts, Tokens } from './tokens.ts';

/** First labels of names of packages, which say neither who nor where. */
const topLevel = /^(?:com|org|net|java|javax)$/;

/** All fields of `T`: one that `T` gets later does not pass by unseen. */
type Every<T> = { [K in keyof Required<T>]: T[K] };

/** Names that stay: `kept` unless known terms are in them, `words` even then. */
interface KeptPaths {
  kept: readonly string[];
  words: readonly string[];
}

/**
 * Replaces who and where: identifiers, addresses, host names, processes and the data of nodes, wherever they stand, each by the same
 * token in the whole file. Queues, owners and explanations are made from what was replaced, so nothing has to be found in texts.
 *
 * First `learn` everything that goes into the file: an address may stand in a name that comes before it.
 */
export class Redactor {
  private readonly tokens = new Tokens();
  private readonly terms = new RedactedTerms(this.tokens);
  private readonly areAllNamesHidden: boolean;
  private readonly paths: RedactedPaths;

  /** @param areAllNamesHidden whether the names in lock paths are replaced, too */
  constructor(areAllNamesHidden: boolean) {
    this.areAllNamesHidden = areAllNamesHidden;
    this.paths = this.newPaths({ kept: [], words: [] });
  }

  *learning({ self, children, further }: LockDirectory): Interruptible<void> {
    for (const nodes of [[self], children, ...further.values()]) {
      for (const node of nodes) {
        this.learnData(node.data);
        yield;
      }
    }
  }

  learnEntry(entry: JournalEntry): void {
    if (entry.type === 'node') this.learnData(entry.node.data);
    if (entry.type === 'session') this.learnSession(entry.session);
  }

  learnOwners({ connections, recorded, live, sources }: OwnerFacts): void {
    for (const { address, server } of connections.values()) {
      this.learnAddress(address);
      this.learnAddress(server);
    }
    for (const owner of recorded?.values() ?? []) this.learnSession(owner);
    if (live !== undefined) this.learnAddress(live.server);
    for (const source of sources) this.learnSource(source);
  }

  learnWatches({ sources }: WatchFacts): void {
    for (const source of sources) this.learnSource(source);
  }

  /** `host:port`, or a host. */
  learnAddress(text: string): void {
    const host = addressParts(text)?.host ?? text;
    this.terms.add(text);
    this.terms.add(host);
    const [first] = host.split('.');
    // The short name of a host stands for it in identifiers.
    if (first !== undefined && first.length > 2 && !topLevel.test(first)) this.terms.add(first);
  }

  /**
   * Leaves the paths of those directories as they are that would be other locks without them: some libraries are known by their paths, and
   * some by a node beside the contenders. What says who or where is replaced all the same. To be called after `learn`, before anything is
   * replaced.
   */
  *keepingPaths(directories: readonly LockDirectory[]): Interruptible<void> {
    for (const directory of directories) {
      const { kept, words } = yield* this.neededPaths(directory);
      for (const each of kept) this.paths.keep(each);
      for (const each of words) this.paths.keepWord(each);
    }
  }

  path(path: string): string {
    return this.paths.of(path);
  }

  /** Text that is neither a name nor data: what is known of who and where is replaced in it. */
  text(text: string): string {
    return this.terms.replaceIn(text);
  }

  /** What stands for a text as a whole. */
  token(text: string): string {
    return this.tokens.of(text);
  }

  redacting(directory: LockDirectory): Interruptible<LockDirectory> {
    return this.replacing(directory, this.paths);
  }

  entry(entry: JournalEntry): JournalEntry {
    switch (entry.type) {
      case 'node':
        return { ...entry, node: this.node(entry.node) };
      case 'gone':
      case 'cause':
        return { ...entry, path: this.path(entry.path) };
      case 'session':
        return { ...entry, session: this.session(entry.session) };
      default:
        return entry;
    }
  }

  owners(facts: OwnerFacts): OwnerFacts {
    const { connections, live, askedAt, sources } = facts;
    const replaced: Every<OwnerFacts> = {
      connections: new Map(Array.from(connections, ([id, connection]) => [id, this.connection(connection)])),
      recorded: facts.recorded && new Map(Array.from(facts.recorded, ([id, owner]) => [id, this.recorded(owner)])),
      live: live && { ids: live.ids, listedBy: live.listedBy, server: this.tokens.ofAddress(live.server) },
      sources: sources.map(source => this.source(source)),
      askedAt,
    };
    const { recorded, ...always } = replaced;
    return { ...always, ...present('recorded', recorded) };
  }

  watches({ watchers, isComplete, sources, askedAt }: WatchFacts): WatchFacts {
    return {
      watchers: new Map(Array.from(watchers, ([path, sessions]) => [this.path(path), sessions])),
      isComplete,
      sources: sources.map(source => this.source(source)),
      askedAt,
    };
  }

  private connection(connection: OwnerConnection): OwnerConnection {
    const { address, server, establishedAt, timeoutMs, last } = connection;
    const replaced: Every<OwnerConnection> = {
      address: this.tokens.ofAddress(address),
      server: this.tokens.ofAddress(server),
      establishedAt,
      timeoutMs,
      last,
    };
    return withoutAbsent(replaced);
  }

  private recorded({ address, host, process }: RecordedOwner): RecordedOwner {
    const replaced: Every<RecordedOwner> = {
      address: this.tokens.ofAddress(address),
      host: host === undefined ? host : this.tokens.of(host),
      process: process === undefined ? process : this.tokens.of(process),
    };
    return withoutAbsent(replaced);
  }

  private newPaths({ kept, words }: KeptPaths): RedactedPaths {
    const paths = new RedactedPaths(this.terms, this.tokens, this.areAllNamesHidden);
    for (const path of kept) paths.keep(path);
    for (const path of words) paths.keepWord(path);
    return paths;
  }

  /** The least that keeps what a directory shows. */
  private *neededPaths(directory: LockDirectory): Interruptible<KeptPaths> {
    const shape = yield* shapeOf(directory);
    const isSame: IsSame = kept => this.hasShape(directory, kept, shape);
    if (yield* isSame({ kept: [], words: [] })) return { kept: [], words: [] };
    const { path } = directory;
    const choices = [[path], [path, ...(yield* strangersOf(directory))]];
    for (const kept of choices) if (yield* isSame({ kept, words: [] })) return { kept, words: [] };
    // A name of the layout may also be in data.
    const telling = [...upwards(path)].filter(at => this.terms.areIn(lastSegment(at)));
    for (const kept of telling.length === 0 ? [] : choices) {
      if (yield* isSame({ kept, words: telling })) return { kept, words: yield* neededWords(kept, telling, isSame) };
    }
    return { kept: choices.at(-1) ?? [], words: [] };
  }

  private *hasShape(directory: LockDirectory, kept: KeptPaths, shape: string): Interruptible<boolean> {
    return (yield* shapeOf(yield* this.replacing(directory, this.newPaths(kept)))) === shape;
  }

  private *replacing(directory: LockDirectory, paths: RedactedPaths): Interruptible<LockDirectory> {
    const { path, self, further, lastChanges } = directory;
    const children = yield* this.nodes(directory.children, paths);
    const others = new Map<string, readonly ChildNode[]>();
    for (const [at, nodes] of further) others.set(paths.of(at), yield* this.nodes(nodes, paths));
    return {
      path: paths.of(path),
      self: this.child(self, paths),
      children,
      further: others,
      ...(lastChanges === undefined
        ? {}
        : { lastChanges: new Map([...lastChanges].map(([at, zxid]) => [paths.of(at), zxid])) }),
    };
  }

  private *nodes(all: readonly ChildNode[], paths: RedactedPaths): Interruptible<ChildNode[]> {
    const nodes: ChildNode[] = [];
    for (const node of all) {
      nodes.push(this.child(node, paths));
      yield;
    }
    return nodes;
  }

  private source({ server, by, question, outcome, detail }: SourceReport): SourceReport {
    return { server: this.tokens.ofAddress(server), by, question, outcome, detail: this.tokens.of(detail) };
  }

  private learnSource({ server, detail }: SourceReport): void {
    this.learnAddress(server);
    this.learnAddress(detail);
  }

  private learnData(data: Uint8Array): void {
    for (const text of textsIn(data)) {
      this.terms.add(text);
      if (addressParts(text) !== undefined) this.learnAddress(text);
      for (const host of hostsIn(text)) this.learnAddress(host);
    }
  }

  private learnSession({ address, host, process }: Partial<RecordedOwner>): void {
    if (address !== undefined) this.learnAddress(address);
    if (host !== undefined) this.learnAddress(host);
    if (process !== undefined) this.terms.add(process);
  }

  /** A copy of what is to be kept: what was found out about the node stays with it, names and all. */
  private child(node: ChildNode, paths: RedactedPaths): ChildNode {
    const { czxid, createdAt, modifiedAt, ephemeralOwner, version, numChildren, isDataDenied, isUnread } = node;
    const path = paths.of(node.path, node);
    return {
      name: lastSegment(path),
      path,
      data: redactedData(node.path, node.data, this.tokens),
      czxid,
      createdAt,
      ephemeralOwner,
      version,
      numChildren,
      ...(modifiedAt === undefined ? {} : { modifiedAt }),
      ...(isDataDenied === undefined ? {} : { isDataDenied }),
      ...(isUnread === undefined ? {} : { isUnread }),
    };
  }

  private node(node: JournalNode): JournalNode {
    return {
      ...node,
      path: this.paths.of(node.path, asChild(node)),
      data: redactedData(node.path, node.data, this.tokens),
    };
  }

  private session({ id, address, host, process, timeoutMs, ended, how }: JournalSession): JournalSession {
    const replaced: Every<JournalSession> = {
      id,
      address: address === undefined ? address : this.tokens.ofAddress(address),
      host: host === undefined ? host : this.tokens.of(host),
      process: process === undefined ? process : this.tokens.of(process),
      timeoutMs,
      ended,
      how,
    };
    return withoutAbsent(replaced);
  }
}

/** Whether a directory shows the same with these names kept. */
type IsSame = (kept: KeptPaths) => Interruptible<boolean>;

/** Those of the words without which the directory would be another lock. */
function* neededWords(kept: readonly string[], all: readonly string[], isSame: IsSame): Interruptible<string[]> {
  const words = new Set(all);
  for (const word of all) {
    words.delete(word);
    if (!(yield* isSame({ kept, words: [...words] }))) words.add(word);
  }
  return [...words];
}

/** Paths of the children that are no contenders by their names. */
function* strangersOf({ path, children }: LockDirectory): Interruptible<string[]> {
  const strangers: string[] = [];
  for (const child of children) {
    if (!isMember(path, child)) strangers.push(child.path);
    yield;
  }
  return strangers;
}

function isMember(directoryPath: string, node: ChildNode): boolean {
  return matchName(node.name, { directoryPath, node }) !== undefined;
}

/** What recognition says of a directory, but for texts: equal for a directory whose texts were replaced. */
function* shapeOf(directory: LockDirectory): Interruptible<string> {
  const queues: string[] = [];
  for (const { dialect, maxLeases, contenders, hazards, strangers } of yield* recognisingQueues(directory)) {
    const czxids = new Map(contenders.map(({ name, czxid }) => [name, czxid]));
    yield;
    // By their transactions: names may decide which of two equal numbers comes first.
    const rows: string[] = [];
    for (const { kind, role, sequence, czxid, ownerSession, waitsFor, mayHold } of contenders) {
      const watched = waitsFor === undefined ? '' : (czxids.get(waitsFor) ?? 'other');
      rows.push([czxid, kind, role, sequence, ownerSession, watched, mayHold].join(' '));
      yield;
    }
    const kinds = hazards.map(({ kind }) => kind).join();
    queues.push([dialect, maxLeases, strangers.length, kinds, ...rows.sort()].join('\n'));
    yield;
  }
  // Queues of one directory are in the order of their names.
  return queues.sort().join('\n\n');
}

/** Fields that are `undefined` are left out. */
function withoutAbsent<T extends object>(fields: Every<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** A node of a journal as recognition reads it. */
export function asChild(node: JournalNode): ChildNode {
  const { path, czxid, ctime, mtime, version, owner, data, isUnread } = node;
  return {
    name: lastSegment(path),
    path,
    data,
    czxid,
    createdAt: ctime,
    modifiedAt: mtime,
    ephemeralOwner: owner,
    version,
    numChildren: 0,
    ...(isUnread === undefined ? {} : { isUnread }),
  };
}
