import { cut, isolated } from './displayText.ts';
import { partsOf, type Report } from './report.ts';

/** Characters of one piece of foreign text: a message is read on a phone. */
const longestForeign = 120;
/** Characters that are markup in the channels of chats, wherever they stand in a line. */
const markup = /[\\`*_~[\]<>|#]/g;
/** A mention of people or channels in text of ours: none of our words begin with these signs. */
const mention = /@/g;

/** In code nothing is markup; the sign that would end it, and one that makes mentions of names, become signs that look alike. */
function code(text: string): string {
  const shown = cut(text, longestForeign).replaceAll('`', "'").replaceAll('@', '@\u2060').trim();
  return isolated(shown, `\`${shown === '' ? '""' : shown}\``);
}

function inline(text: string): string {
  return partsOf(text)
    .map(part =>
      part.isForeign ? code(part.text) : part.text.replaceAll(markup, '\\$&').replaceAll(mention, '@\u2060'),
    )
    .join('');
}

/**
 * A report as Markdown for the channel of a chat: bold instead of headings, and code that no chat takes for markup, a link, a command or a
 * mention. Unlike in `markdownReport` foreign text cannot be copied from it byte for byte.
 */
export function chatMarkdown({ headline, blocks }: Report): string {
  const lines = [`**${inline(headline)}**`];
  for (const block of blocks) {
    if (block.kind !== 'list') {
      const text = inline(block.text);
      lines.push('', block.kind === 'heading' ? `**${text}**` : text);
      continue;
    }
    for (const item of block.items) {
      const { text, below } = typeof item === 'string' ? { text: item, below: [] } : item;
      lines.push(`- ${inline(text)}`, ...below.map(each => `  - ${inline(each)}`));
    }
  }
  return `${lines.join('\n')}\n`;
}
