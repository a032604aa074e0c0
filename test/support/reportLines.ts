import { partsOf, type Report } from '../../src/base/report.ts';

function lineOf(text: string): string {
  return partsOf(text)
    .map(part => part.text)
    .join('');
}

/** Every text of a report in order, a line each, neither wrapped nor marked up. */
export function reportLines({ headline, blocks }: Report): string[] {
  const texts = blocks.flatMap(block =>
    block.kind === 'list'
      ? block.items.flatMap(item => (typeof item === 'string' ? [item] : [item.text, ...item.below]))
      : [block.text],
  );
  return [headline, ...texts].map(lineOf);
}

/** The same as one text. */
export function reportText(report: Report): string {
  return reportLines(report).join('\n');
}
