import type { DialectId } from '../locks/lockQueue.ts';
import type { Expected, ProblemFacts } from './problem.ts';
import type { Span, Written } from './scenario.ts';
import type { Token } from './tokens.ts';

/** Ends the statement that is read. */
export class NotRead extends Error {
  readonly span: Span;
  readonly facts: ProblemFacts;

  constructor(span: Span, facts: ProblemFacts) {
    super(facts.kind);
    this.span = span;
    this.facts = facts;
  }
}

/** Longest wait and longest limit of a run: one hour, ms. */
export const longestMs = 3_600_000;

const units = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['min', 60_000],
]);

const sessionPattern = /^\p{L}[\p{L}\p{N}_-]{0,39}$/u;

/** Whether a session can have this name. @param reserved words that are no names of sessions */
export function isSessionName(text: string, reserved: ReadonlySet<string>): boolean {
  return sessionPattern.test(text) && !reserved.has(text);
}

/**
 * Reads the tokens of one line from left to right. It notes what it has looked for at each place, so that the same grammar says what
 * was expected where a line is wrong, and what can be typed at the cursor.
 */
export class LineReader {
  /** What was looked for at the place where it stands. */
  expected: Expected[] = [];
  private readonly tokens: readonly Token[];
  private readonly reserved: ReadonlySet<string>;
  private at = 0;
  /** What is missing at the end of the line of words that belong together and begin here. */
  private begun: Expected[] = [];

  /** @param reserved words that are no names of sessions */
  constructor(tokens: readonly Token[], reserved: ReadonlySet<string>) {
    this.tokens = tokens;
    this.reserved = reserved;
  }

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  get token(): Token | undefined {
    return this.tokens[this.at];
  }

  /** From a token to the one before the place where it stands. */
  spanFrom(first: Span): Span {
    return { ...first, to: this.tokens[this.at - 1]?.span.to ?? first.to };
  }

  /** Passes these words if they all stand here. @param words one, or several with a space between */
  takes(words: string): boolean {
    this.expected.push({ word: words });
    const each = words.split(' ');
    const other = each.findIndex((word, offset) => !this.isWord(this.tokens[this.at + offset], word));
    if (other > 0 && this.at + other === this.tokens.length) {
      this.begun.push({ word: each.slice(other).join(' '), endOf: words });
    }
    if (other >= 0) return false;
    for (let count = each.length; count > 0; count--) this.pass();
    return true;
  }

  takesMark(mark: ',' | ':' | '{' | '}'): boolean {
    this.expected.push({ word: mark });
    if (this.token?.kind !== 'mark' || this.token.text !== mark) return false;
    this.pass();
    return true;
  }

  /** Whether this mark stands here, without passing it. */
  sees(mark: ',' | '{' | '}'): boolean {
    this.expected.push({ word: mark });
    return this.token?.kind === 'mark' && this.token.text === mark;
  }

  /** @returns the first of these words that stands here */
  takesOneOf<T extends string>(words: readonly T[]): T | undefined {
    return words.find(word => this.takes(word));
  }

  /** A session, if a name stands here. */
  takesSession(what: 'session' | 'new session' = 'session'): Written | undefined {
    this.expected.push({ what });
    const { token } = this;
    if (token?.kind !== 'word' || !isSessionName(token.text, this.reserved)) return undefined;
    return this.pass();
  }

  needsSession(what?: 'session' | 'new session'): Written {
    return this.takesSession(what) ?? this.failAtName();
  }

  takesPath(): Written | undefined {
    this.expected.push({ what: 'path' });
    const { token } = this;
    if (token === undefined || token.kind === 'mark' || !token.text.startsWith('/')) return undefined;
    return this.pass();
  }

  needsPath(): Written {
    return this.takesPath() ?? this.fail();
  }

  /** A word, or a quoted text of any kind. */
  needsText(what: 'text' | 'cluster' = 'text'): Written {
    this.expected.push({ what });
    if (this.token === undefined || this.token.kind === 'mark') this.fail();
    return this.pass();
  }

  needsDialect(dialects: ReadonlySet<string>): DialectId {
    this.expected.push({ what: 'dialect' });
    const { token } = this;
    if (token === undefined || !dialects.has(token.text)) {
      this.expected.push(...[...dialects].map(word => ({ word })));
      this.fail();
    }
    return this.pass().text as DialectId;
  }

  needsNumber(least: number, most: number): number {
    this.expected.push({ what: 'number' });
    const { token } = this;
    if (token === undefined || !/^[+-]?[\d._]+$/u.test(token.text)) this.fail();
    const { text, span } = this.pass();
    const number = /^\d{1,9}$/u.test(text) ? Number(text) : -1;
    if (number < least || number > most) throw new NotRead(span, { kind: 'number', found: text, least, most });
    return number;
  }

  /** @returns ms; `2s`, `500ms`, `1.5s`, `1min` */
  needsDuration(): number {
    this.expected.push({ what: 'duration' });
    const { token } = this;
    if (token === undefined || !/^[+-]?\d/u.test(token.text)) this.fail();
    const { text, span } = this.pass();
    const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|min)$/u.exec(text) ?? [];
    const ms = Math.round(Number(amount) * (units.get(unit) ?? NaN));
    if (!(ms <= longestMs)) throw new NotRead(span, { kind: 'duration', found: text, least: 0, most: longestMs });
    return ms;
  }

  needsEnd(): void {
    this.expected.push({ what: 'end of line' });
    if (!this.isAtEnd) this.fail();
  }

  /** @throws NotRead at the place where it stands */
  fail(): never {
    const { token } = this;
    if (token?.kind === 'not closed') throw new NotRead(token.span, { kind: 'text-not-closed' });
    if (this.begun.length > 0) {
      throw new NotRead(this.end, { kind: 'expected', found: '', expected: this.begun });
    }
    throw new NotRead(this.here, {
      kind: 'expected',
      found: token?.text ?? '',
      expected: this.expected,
      ...nearestOf(token?.text, this.expected),
    });
  }

  /** The token here, or the end of the line. */
  get here(): Span {
    return this.token?.span ?? this.end;
  }

  private get end(): Span {
    const last = this.tokens.at(-1)?.span ?? { line: 0, from: 0, to: 0 };
    return { line: last.line, from: last.to, to: last.to };
  }

  private failAtName(): never {
    const { token } = this;
    if (token?.kind === 'word' && this.reserved.has(token.text) && this.begun.length === 0) {
      throw new NotRead(token.span, { kind: 'reserved', text: token.text });
    }
    return this.fail();
  }

  private isWord(token: Token | undefined, word: string): boolean {
    return token?.kind === 'word' && token.text === word;
  }

  private pass(): Written {
    const { token } = this;
    if (token === undefined || token.kind === 'not closed') return this.fail();
    this.at++;
    this.expected = [];
    this.begun = [];
    return { text: token.text, span: token.span };
  }
}

/**
 * The word that was probably meant: the nearest by single letters, if less than half of them differ. Of several words that belong
 * together it may be the first.
 */
export function nearestOf(found: string | undefined, expected: readonly Expected[]): { nearest?: string } {
  if (found === undefined) return {};
  let nearest: { nearest?: string } = {};
  let least = Math.floor(found.length / 2) + 1;
  const words = expected.flatMap(one => ('word' in one ? [one.word, ...one.word.split(' ', 1)] : []));
  for (const word of new Set(words)) {
    if (Math.abs(word.length - found.length) >= least) continue;
    const steps = editDistance(found.toLowerCase(), word);
    if (steps < least) [nearest, least] = [{ nearest: word }, steps];
  }
  return nearest;
}

/** How many letters must be changed, added or left out (Levenshtein 1966). */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const change = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      line.push(Math.min(change, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[other.length] ?? 0;
}
