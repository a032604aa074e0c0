import type { ShownBlock, ShownReport, ShownText } from '../../src/incidentProtocol.ts';
import { element } from '../dom.ts';

/** Foreign parts as code, the others as they are. */
function piecesOf(text: ShownText): (Node | string)[] {
  return text.map(({ text: piece, isForeign }) => (isForeign ? element('code', 'foreign', piece) : piece));
}

function listOf(items: readonly { text: ShownText; below: readonly ShownText[] }[]): HTMLElement {
  const lines = items.map(({ text, below }) => {
    const inner = below.map(line => ({ text: line, below: [] }));
    return element('li', '', ...piecesOf(text), ...(inner.length === 0 ? [] : [listOf(inner)]));
  });
  return element('ul', 'report-list', ...lines);
}

function blockElement(block: ShownBlock): HTMLElement {
  switch (block.kind) {
    case 'heading':
      return element('h3', '', ...piecesOf(block.text));
    case 'paragraph':
      return element('p', '', ...piecesOf(block.text));
    case 'list':
      return listOf(block.items);
  }
}

/** A report with its answer in sight; the rest unfolds. */
export function reportElement({ headline, blocks }: ShownReport, isOpen: boolean): HTMLElement {
  if (blocks.length === 0) return element('p', 'report-headline', ...piecesOf(headline));
  const details = element('details', 'report');
  details.open = isOpen;
  details.append(element('summary', 'report-headline', ...piecesOf(headline)), ...blocks.map(blockElement));
  return details;
}
