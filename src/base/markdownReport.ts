import { isolated } from './displayText.ts';
import { partsOf, type Report } from './report.ts';

/** Every ASCII punctuation character: CommonMark lets each be escaped, and makes neither a link, HTML nor a picture of an escaped one. */
const punctuation = /[!-/:-@[-`{-~]/g;

function plain(text: string): string {
  return text.replaceAll(punctuation, '\\$&');
}

/** A code span shows everything as it is; its fence is longer than any run of backticks inside. */
function code(text: string): string {
  if (text === '') return plain('""');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // CommonMark takes one blank off both sides when there is one on each.
  const padding = /^[ `]|[ `]$/.test(text) ? ' ' : '';
  return `${fence}${padding}${text}${padding}${fence}`;
}

function inline(text: string): string {
  return partsOf(text)
    .map(part => (part.isForeign ? isolated(part.text, code(part.text)) : plain(part.text)))
    .join('');
}

/** A report as Markdown. Nothing in it but the report's own structure is markup. */
export function markdownReport({ headline, blocks }: Report): string {
  const rendered = blocks.map(block => {
    if (block.kind !== 'list') return `${block.kind === 'heading' ? '## ' : ''}${inline(block.text)}`;
    return block.items
      .flatMap(item => {
        if (typeof item === 'string') return [`- ${inline(item)}`];
        return [`- ${inline(item.text)}`, ...item.below.map(text => `  - ${inline(text)}`)];
      })
      .join('\n');
  });
  return `${[`# ${inline(headline)}`, ...rendered].join('\n\n')}\n`;
}
