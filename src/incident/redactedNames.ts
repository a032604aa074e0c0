import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { isMembershipDirectory } from '../locks/libraries/notLocks.ts';
import { baseOfQueue, queueBeside } from '../locks/libraries/queueBeside.ts';
import { leaseNodes, matchName } from '../locks/libraries/registry.ts';
import { isLockDirectory, singleNodeByPath } from '../locks/libraries/singleNode.ts';
import type { NameContext, NameMatch } from '../locks/dialect.ts';
import type { ChildNode } from '../locks/lockDirectory.ts';
import type { Tokens } from './tokens.ts';

/** An identifier in a name stands between such characters as are left out here. */
const pieces = /[^-_#.:@,;=+~ ]+/g;
const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
const outerSeparators = /^[-_#.:@,;=+~ ]+|[-_#.:@,;=+~ ]+$/g;
/** Terms of more pieces are found only where they are all of a text. */
const mostPieces = 100;
const shortest = 2;
const longestTerm = 1_000;
/** Of a longer text a token stands for all. */
const longestText = 4_000;
const none: ReadonlySet<string> = new Set();
/** Names of directories that layouts have. */
const layoutNames: ReadonlySet<string> = new Set(['locks', 'leases', ...leaseNodes.map(({ nodeName }) => nodeName)]);

/** Texts that say who or where, to be found in names and other texts. */
export class RedactedTerms {
  private readonly terms = new Set<string>();
  /** By the first piece: how many pieces the longest term has that begins with it. */
  private readonly pieceCounts = new Map<string, number>();
  private readonly tokens: Tokens;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  add(term: string): void {
    if (term.length > longestTerm) return;
    this.addTerm(term);
    // In a name it stands between separators.
    this.addTerm(term.replaceAll(outerSeparators, ''));
  }

  /** Whether a known term, or an IPv4 address, stands in a text. */
  areIn(text: string): boolean {
    return this.replaceIn(text) !== text;
  }

  /** The known terms in a text. */
  termsIn(text: string): string[] {
    const found = new Set<string>();
    this.replaceEach(text, none, term => {
      found.add(term);
      return term;
    });
    return [...found];
  }

  /** The text with every known term between separators, and every IPv4 address, replaced. @param spared terms that stay */
  replaceIn(text: string, spared: ReadonlySet<string> = none): string {
    return this.replaceEach(text, spared, term => this.tokens.of(term));
  }

  private replaceEach(text: string, spared: ReadonlySet<string>, call: (term: string) => string): string {
    if (this.isTerm(text, spared) || text.length > longestText) return call(text);
    const replaced = this.replacePieces(text, spared, call);
    return replaced.replaceAll(ipv4, found => (spared.has(found) ? found : call(found)));
  }

  private isTerm(text: string, spared: ReadonlySet<string>): boolean {
    return this.terms.has(text) && !spared.has(text);
  }

  private addTerm(term: string): void {
    // A number alone is anything.
    if (term.length < shortest || /^\d*$/.test(term) || this.terms.has(term)) return;
    this.terms.add(term);
    const found = term.match(pieces) ?? [];
    const [first] = found;
    if (first === undefined) return;
    const count = Math.min(found.length, mostPieces);
    if (count > (this.pieceCounts.get(first) ?? 0)) this.pieceCounts.set(first, count);
  }

  private replacePieces(text: string, spared: ReadonlySet<string>, call: (term: string) => string): string {
    const found = [...text.matchAll(pieces)].map(match => ({ start: match.index, end: match.index + match[0].length }));
    let result = '';
    let done = 0;
    for (let at = 0; at < found.length; at++) {
      const first = found[at];
      const last = first && this.longestTerm(text, found, at, spared);
      if (first === undefined || last === undefined) continue;
      result += text.slice(done, first.start) + call(text.slice(first.start, found[last]?.end));
      done = found[last]?.end ?? done;
      at = last;
    }
    return result + text.slice(done);
  }

  /** The last piece of the longest term that begins with a piece. */
  private longestTerm(
    text: string,
    found: readonly { start: number; end: number }[],
    at: number,
    spared: ReadonlySet<string>,
  ): number | undefined {
    const { start = 0, end } = found[at] ?? {};
    const most = this.pieceCounts.get(text.slice(start, end)) ?? 0;
    for (let last = Math.min(found.length, at + most) - 1; last >= at; last--) {
      if (this.isTerm(text.slice(start, found[last]?.end), spared)) return last;
    }
    return undefined;
  }
}

/** Paths with what says who or where replaced; everything by which libraries are recognised stays. */
export class RedactedPaths {
  private readonly terms: RedactedTerms;
  private readonly tokens: Tokens;
  private readonly areAllNamesHidden: boolean;
  private readonly known = new Map<string, string>([['/', '/']]);
  /** By path: whether its last name stays. */
  private readonly kept = new Map<string, 'always' | 'unless telling'>();

  /** @param areAllNamesHidden whether the names in lock paths are replaced, too */
  constructor(terms: RedactedTerms, tokens: Tokens, areAllNamesHidden: boolean) {
    this.terms = terms;
    this.tokens = tokens;
    this.areAllNamesHidden = areAllNamesHidden;
  }

  /** Leaves the names in a path as they are, but those with known terms. To be called before any other path is asked for. */
  keep(path: string): void {
    for (const at of upwards(path)) this.kept.set(at, 'unless telling');
  }

  /** Leaves the last name of a path as it is, whatever it says: the layout of a library has such a name. */
  keepWord(path: string): void {
    this.kept.set(path, 'always');
  }

  /** @param node what is known of it; the first call for a path decides */
  of(path: string, node?: ChildNode): string {
    const known = this.known.get(path);
    if (known !== undefined) return known;
    const parent = parentPath(path);
    const name = lastSegment(path);
    const kept = this.kept.get(path);
    const isKept = kept === 'always' || (kept !== undefined && !this.terms.areIn(name));
    const redacted = childPath(this.of(parent), isKept ? name : this.nameOf(parent, name, node));
    this.known.set(path, redacted);
    return redacted;
  }

  private nameOf(directory: string, name: string, node: ChildNode | undefined): string {
    const base = baseOfQueue(childPath(directory, name));
    // The queue of kazoo's semaphore stands beside it, and is found by its name.
    if (base !== undefined) return lastSegment(queueBeside(this.of(base)));
    const context = { directoryPath: directory, ...(node === undefined ? {} : { node }) };
    const match = matchName(name, context);
    return match === undefined ? this.otherName(directory, name) : this.contenderName(name, context, match);
  }

  /** Library, kind and number stay what they are, unless the name would say who or where. */
  private contenderName(name: string, context: NameContext, { dialect, match, reading }: NameMatch): string {
    const isSame = (changed: string): boolean => {
      const after = matchName(changed, context);
      return after?.dialect === dialect && after.match.kind === match.kind && after.reading.suffix === reading.suffix;
    };
    return this.replacedIn(this.withoutIdentifier(name, match.identifier ?? '', isSame), isSame);
  }

  /** The identifier may stand in the name several times, of which one is where the library reads it: `latch-a-0000000001`. */
  private withoutIdentifier(name: string, identifier: string, isSame: (changed: string) => boolean): string {
    if (identifier === '') return name;
    const token = this.tokens.of(identifier);
    for (let at = name.indexOf(identifier); at >= 0; at = name.indexOf(identifier, at + 1)) {
      const changed = name.slice(0, at) + token + name.slice(at + identifier.length);
      if (isSame(changed)) return changed;
    }
    return name;
  }

  private otherName(directory: string, name: string): string {
    const isSame = (changed: string): boolean => isSamePlace(childPath(directory, name), childPath(directory, changed));
    const replaced = this.replacedIn(name, isSame);
    if (!this.areAllNamesHidden || replaced !== name || layoutNames.has(name)) return replaced;
    const token = this.tokens.of(name);
    return isSame(token) ? token : name;
  }

  /** The name with known terms replaced, but those without which its library would not recognise it: they are words of the library. */
  private replacedIn(name: string, isSame: (changed: string) => boolean): string {
    const replaced = this.terms.replaceIn(name);
    if (replaced === name || isSame(replaced) || !isSame(name)) return replaced;
    const spared = new Set(this.terms.termsIn(name));
    for (const term of [...spared]) {
      spared.delete(term);
      if (!isSame(this.terms.replaceIn(name, spared))) spared.add(term);
    }
    return this.terms.replaceIn(name, spared);
  }
}

/** A path and those above it, but the root: what has names. */
export function* upwards(path: string): Generator<string> {
  for (let at = baseOfQueue(path) ?? path; at !== '/' && at !== ''; at = parentPath(at)) yield at;
}

/** Whether what a path says of locks stays. */
function isSamePlace(before: string, after: string): boolean {
  return (
    singleNodeByPath(before)?.dialect === singleNodeByPath(after)?.dialect &&
    isLockDirectory(before) === isLockDirectory(after) &&
    isMembershipDirectory(before) === isMembershipDirectory(after) &&
    (matchName(lastSegment(after), { directoryPath: parentPath(after) }) === undefined) ===
      (matchName(lastSegment(before), { directoryPath: parentPath(before) }) === undefined)
  );
}
