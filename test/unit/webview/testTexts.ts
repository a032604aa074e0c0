import type { ContenderKind } from '../../../src/historyProtocol.ts';
import { allMarks, tableColumns, type PanelTexts } from '../../../src/protocol.ts';
import { pageTexts, type PageText } from '../../../src/panelTexts.ts';

const kinds: ContenderKind[] = ['exclusive', 'read', 'write', 'lease', 'candidate'];

/** Texts whose words are their keys, so that a test says which text it expects: `queue.edge(a,b)`. */
export function testTexts(): PanelTexts {
  return {
    columns: record(tableColumns, column => `column ${column}`),
    kinds: record(kinds, kind => `kind ${kind}`),
    marks: record(allMarks, mark => `mark ${mark}`),
    page: record(Object.keys(pageTexts) as PageText[], key => `${key}({0},{1},{2},{3})`),
  };
}

function record<K extends string>(keys: readonly K[], text: (key: K) => string): Record<K, string> {
  return Object.fromEntries(keys.map(key => [key, text(key)])) as Record<K, string>;
}
