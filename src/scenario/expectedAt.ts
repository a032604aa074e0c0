import { LineReader, NotRead } from './lineReader.ts';
import { headerOf, headerWords, needsValue, parseScenario, type Header } from './parseScenario.ts';
import type { Expected } from './problem.ts';
import type { Span } from './scenario.ts';
import { readStep, reservedWords } from './statements.ts';
import { tokensOf, type Token } from './tokens.ts';

/** What can stand at a position of a file. */
export interface ExpectedAt {
  /** The word at the position, which is not looked at; empty between words. */
  readonly span: Span;
  /** Empty in a comment, and behind something that cannot be read. */
  readonly expected: readonly Expected[];
  /** What stands before it on its line. */
  readonly before: readonly Token[];
}

/**
 * Reads the file up to a position by its own grammar, and says what was looked for there.
 *
 * @param lines of the whole file
 * @param column in UTF-16 units; within a word the question is what can stand in its place
 * @param dialects that an `as` may name
 */
export function expectedAt(
  lines: readonly string[],
  line: number,
  column: number,
  dialects: ReadonlySet<string>,
): ExpectedAt {
  const content = lines[line] ?? '';
  const place = placeIn(content, line, column);
  const { before, isComment } = place;
  if (isComment) return { ...place, expected: [] };
  if (headerOf(before) === 'cluster') return clusterName(place, content);
  return { ...place, expected: expectedAfter(before, lines.slice(0, line), dialects) };
}

interface Place extends Omit<ExpectedAt, 'expected'> {
  readonly isComment: boolean;
}

function placeIn(content: string, line: number, column: number): Place {
  const typed = content.slice(0, column);
  const tokens = tokensOf(typed, line);
  const last = tokens.at(-1);
  const end = last?.span.to ?? 0;
  const isWithin = last !== undefined && last.kind !== 'mark' && end === typed.length;
  const from = isWithin ? last.span.from : column;
  const whole = tokensOf(content, line).find(({ kind, span }) => kind !== 'mark' && span.from === from);
  return {
    span: { line, from, to: Math.max(column, whole?.span.to ?? 0) },
    before: isWithin ? tokens.slice(0, -1) : tokens,
    // What of the line is no token is a comment.
    isComment: typed.slice(end).trim() !== '',
  };
}

/** All the rest of the line is the name. */
function clusterName({ before, span }: Place, content: string): ExpectedAt {
  const [, , first] = before;
  const to = Math.max(span.to, tokensOf(content, span.line).at(-1)?.span.to ?? 0);
  return { before, span: { ...span, from: first?.span.from ?? span.from, to }, expected: [{ what: 'cluster' }] };
}

function expectedAfter(
  tokens: readonly Token[],
  linesBefore: readonly string[],
  dialects: ReadonlySet<string>,
): readonly Expected[] {
  const [first, ...others] = tokens;
  if (others.length === 0 && headerWords.some(word => word === first?.text)) return [{ word: ':' }];
  const header = headerOf(tokens);
  const reader = new LineReader(header === undefined ? tokens : tokens.slice(1), reservedWords);
  try {
    if (header === undefined) return [...headersIn(tokens, linesBefore), ...stepsIn(reader, linesBefore, dialects)];
    reader.takesMark(':');
    needsValue(header, reader);
    reader.needsEnd();
    return reader.expected;
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    return missing(error);
  }
}

function missing({ facts }: NotRead): readonly Expected[] {
  return facts.kind === 'expected' && facts.found === '' ? facts.expected : [];
}

/** @throws NotRead */
function stepsIn(
  reader: LineReader,
  linesBefore: readonly string[],
  dialects: ReadonlySet<string>,
): readonly Expected[] {
  const { problems } = parseScenario(linesBefore.join('\n'), dialects);
  let depth = problems.filter(({ facts }) => facts.kind === 'block-not-closed').length;
  for (;;) {
    if (depth > 0 && reader.takesMark('}')) depth--;
    else if (reader.isAtEnd) return [...reader.expected, ...nextStep(dialects)];
    else if ('times' in readStep(reader, dialects)) depth++;
    else {
      const { expected } = reader;
      if (depth > 0 && reader.sees('}')) continue;
      reader.needsEnd();
      return expected;
    }
  }
}

/** What a step begins with. */
function nextStep(dialects: ReadonlySet<string>): readonly Expected[] {
  try {
    readStep(new LineReader([], reservedWords), dialects);
    return [];
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    return missing(error);
  }
}

/** The headers that are not there yet, where a line begins before the first step. */
function headersIn(tokens: readonly Token[], linesBefore: readonly string[]): readonly Expected[] {
  if (tokens.length > 0) return [];
  const before = new Set<Header>();
  for (const line of linesBefore) {
    const read = tokensOf(line, 0);
    const header = headerOf(read);
    if (header === undefined && read.length > 0) return [];
    if (header !== undefined) before.add(header);
  }
  return headerWords.filter(word => !before.has(word)).map(word => ({ word }));
}
