import { cut, escapeUnseen } from '../base/displayText.ts';
import { foreign, partsOf, type Block, type Item, type Report } from '../base/report.ts';
import { objectOf, textField } from './lineFields.ts';

/** A text in a file: words of the report, and foreign text among them. */
export type StoredText = readonly (string | { foreign: string })[];

/** A report in a file (docs/incident-file.md). */
export interface StoredReport {
  headline: StoredText;
  blocks: readonly StoredBlock[];
}

type StoredItem = StoredText | { text: StoredText; below: readonly StoredText[] };
type StoredBlock = { kind: 'heading' | 'paragraph'; text: StoredText } | { kind: 'list'; items: readonly StoredItem[] };

/** More are left out: a report is for a person. */
const mostBlocks = 1_000;
const mostParts = 200;
const longestPart = 5_000;

const escaped = /(\\+)(u\{[0-9A-F]{5,6}\}|u[0-9A-F]{4}|u[0-9a-fA-F{])/g;

/** What `escapeUnseen` made a text of, back to that text. */
export function unescapeUnseen(text: string): string {
  return text.replaceAll(escaped, (_, run: string, code: string) => {
    const half = '\\'.repeat(Math.floor(run.length / 2));
    if (run.length % 2 === 0 || code.length < 5) return half + code;
    return half + String.fromCodePoint(Number.parseInt(code.replaceAll(/[u{}]/g, ''), 16));
  });
}

function storedText(text: string): StoredText {
  return partsOf(text).map(part => (part.isForeign ? { foreign: unescapeUnseen(part.text) } : part.text));
}

function storedItem(item: Item): StoredItem {
  return typeof item === 'string'
    ? storedText(item)
    : { text: storedText(item.text), below: item.below.map(storedText) };
}

/** A report as a value for JSON. */
export function storedReport({ headline, blocks }: Report): StoredReport {
  return {
    headline: storedText(headline),
    blocks: blocks.map(block =>
      block.kind === 'list'
        ? { kind: 'list', items: block.items.map(storedItem) }
        : { kind: block.kind, text: storedText(block.text) },
    ),
  };
}

/** The words of a report come from a file, too: nothing unseen is in them. */
function wordsOf(text: string): string {
  return escapeUnseen(cut(text, longestPart).replaceAll(/\s+/g, ' '));
}

function readText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, mostParts)
    .map((part: unknown) => {
      const outer = objectOf(part)?.['foreign'];
      if (typeof outer === 'string') return foreign(outer);
      return typeof part === 'string' ? wordsOf(part) : '';
    })
    .join('');
}

function readItem(value: unknown): Item | undefined {
  const fields = objectOf(value);
  if (fields === undefined) return readText(value);
  const text = readText(fields['text']);
  const { below } = fields;
  if (text === undefined || !Array.isArray(below)) return undefined;
  return { text, below: below.slice(0, mostBlocks).flatMap(each => readText(each) ?? []) };
}

function readBlock(value: unknown): Block | undefined {
  const fields = objectOf(value);
  const kind = textField(fields?.['kind'], 20);
  const items = fields?.['items'];
  if (kind === 'list') {
    if (!Array.isArray(items)) return undefined;
    return { kind, items: items.slice(0, mostBlocks).flatMap(each => readItem(each) ?? []) };
  }
  const text = readText(fields?.['text']);
  return text === undefined || (kind !== 'heading' && kind !== 'paragraph') ? undefined : { kind, text };
}

/** @param value anything @returns `undefined` if it is no report; blocks of other kinds are left out */
export function readReport(value: unknown): Report | undefined {
  const fields = objectOf(value);
  const headline = readText(fields?.['headline']);
  const blocks = fields?.['blocks'];
  if (headline === undefined || !Array.isArray(blocks)) return undefined;
  return { headline, blocks: blocks.slice(0, mostBlocks).flatMap(each => readBlock(each) ?? []) };
}
