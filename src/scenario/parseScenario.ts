import { LineReader, NotRead } from './lineReader.ts';
import type { Problem, ProblemFacts } from './problem.ts';
import type { BlockStep, Scenario, Span, Step, Written } from './scenario.ts';
import { readStep, reservedWords, type BlockHead } from './statements.ts';
import { linesOf, tokensOf, type Token } from './tokens.ts';

export const headerWords = ['cluster', 'path', 'limit'] as const;

export type Header = (typeof headerWords)[number];

/** Of a run without a limit in its header, ms. */
export const usualLimitMs = 60_000;

/** Longest file, UTF-16 units. */
export const mostText = 1_048_576;

/** Deepest blocks, as the text of the problem says. */
export const mostDepth = 8;

/** So many problems are listed; then the reading ends. */
export const mostProblems = 500;

/** A scenario as far as it could be read, and what is wrong with the rest. */
export interface Parsed {
  readonly scenario: Scenario;
  readonly problems: readonly Problem[];
}

/** `head` absent: it could not be read, and what is in the block belongs to the one around it. */
interface OpenBlock {
  readonly head?: BlockHead;
  readonly steps: Step[];
  readonly span: Span;
}

/**
 * Reads a file (grammar: docs/scenarios.md). A line that cannot be read is a problem, and the reading goes on with the next one.
 * Linear in the length of the text, of any text. After 500 problems the rest is not read.
 *
 * @param dialects that an `as` may name
 */
export function parseScenario(text: string, dialects: ReadonlySet<string>): Parsed {
  const parser = new Parser(dialects);
  if (text.length > mostText) parser.refuse({ line: 0, from: 0, to: 0 }, { kind: 'too-large', most: mostText });
  else for (const [line, content] of linesOf(text).entries()) parser.read(line, content);
  return parser.end();
}

const nothing: Token = { kind: 'word', text: '', span: { line: 0, from: 0, to: 0 } };

class Parser {
  private readonly dialects: ReadonlySet<string>;
  private readonly problems: Problem[] = [];
  private readonly steps: Step[] = [];
  private readonly open: OpenBlock[] = [];
  private readonly headers = new Map<Header, Written>();
  private limitMs = usualLimitMs;

  constructor(dialects: ReadonlySet<string>) {
    this.dialects = dialects;
  }

  read(line: number, content: string): void {
    if (this.problems.length >= mostProblems) return;
    const tokens = tokensOf(content, line);
    const header = headerOf(tokens);
    try {
      if (header !== undefined) this.readHeader(header, tokens, content);
      else this.readSteps(new LineReader(tokens, reservedWords));
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      this.refuse(error.span, error.facts);
      if (header === undefined) this.passBraces(tokens, error.span);
    }
  }

  /** Blocks that begin and end in what could not be read: otherwise braces would be missing, or too many, further below. */
  private passBraces(tokens: readonly Token[], { from }: Span): void {
    for (const { kind, text, span } of tokens) {
      if (kind !== 'mark' || span.from < from) continue;
      if (text === '{') this.open.push({ steps: this.block, span });
      else if (text === '}') this.close(span.line);
    }
  }

  refuse(span: Span, facts: ProblemFacts): void {
    if (this.problems.length < mostProblems) this.problems.push({ span, facts, severity: 'error' });
  }

  end(): Parsed {
    for (const { span } of this.open) this.refuse(span, { kind: 'block-not-closed' });
    while (this.open.length > 0) this.close(this.open.at(-1)?.span.line ?? 0);
    const { headers, limitMs, steps, problems } = this;
    const [cluster, path] = [headers.get('cluster'), headers.get('path')];
    const scenario = { ...(cluster && { cluster }), ...(path && { path }), limitMs, steps };
    return { scenario, problems };
  }

  private get block(): Step[] {
    return this.open.at(-1)?.steps ?? this.steps;
  }

  private readHeader(header: Header, tokens: readonly Token[], content: string): void {
    const [first = nothing, , begin, ...rest] = tokens;
    const reader = new LineReader(tokens.slice(1), reservedWords);
    reader.takesMark(':');
    if (begin === undefined) {
      needsValue(header, reader);
      return;
    }
    this.checkPlace(header, first.span);
    // The name of a cluster may have several words.
    const last = header === 'cluster' ? (rest.at(-1) ?? begin) : begin;
    const span = { ...begin.span, to: last.span.to };
    const text = last === begin ? begin.text : content.slice(span.from, span.to);
    this.headers.set(header, { text, span });
    if (header === 'cluster') return;
    const ms = needsValue(header, reader);
    if (ms !== undefined) this.limitMs = ms;
    reader.needsEnd();
  }

  private checkPlace(header: Header, span: Span): void {
    if (this.steps.length > 0 || this.open.length > 0) throw new NotRead(span, { kind: 'header-late', text: header });
    if (this.headers.has(header)) throw new NotRead(span, { kind: 'header-twice', text: header });
  }

  private readSteps(reader: LineReader): void {
    while (!reader.isAtEnd) {
      const { here } = reader;
      if (reader.takesMark('}')) {
        if (this.open.length === 0) throw new NotRead(here, { kind: 'no-block' });
        this.close(here.line);
        continue;
      }
      const step = readStep(reader, this.dialects);
      if (isHead(step)) {
        if (this.open.length >= mostDepth) throw new NotRead(step.span, { kind: 'too-deep' });
        this.open.push({ head: step, steps: [], span: step.span });
      } else {
        this.block.push(step);
        if (!reader.sees('}')) reader.needsEnd();
      }
    }
  }

  private close(endLine: number): void {
    const block = this.open.pop();
    if (block === undefined) return;
    const { head, steps } = block;
    if (head === undefined) return;
    const closed: BlockStep = { ...head, steps, endLine };
    this.block.push(closed);
  }
}

/** The header that a line is. */
export function headerOf([first, colon]: readonly Token[]): Header | undefined {
  return colon?.text === ':' ? headerWords.find(word => word === first?.text) : undefined;
}

/** Reads what stands behind the colon of a header. @returns a limit, ms @throws NotRead */
export function needsValue(header: Header, reader: LineReader): number | undefined {
  if (header === 'limit') return reader.needsDuration();
  if (header === 'path') reader.needsPath();
  else reader.needsText('cluster');
  return undefined;
}

function isHead(step: Step | BlockHead): step is BlockHead {
  return (step.kind === 'parallel' || step.kind === 'repeat') && !('steps' in step);
}
