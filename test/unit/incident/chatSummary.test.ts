import { describe, expect, it } from 'vitest';
import { chatMarkdown } from '../../../src/base/chatMarkdown.ts';
import { foreign } from '../../../src/base/report.ts';
import { incidentReport, incidentSummary } from '../../../src/extension/words/incidentText.ts';
import { textReport } from '../../../src/base/textReport.ts';
import { directory } from '../locks/directory.ts';
import { facts, header, queueFacts } from './incidentUnderTest.ts';

/** The text without its code spans: what a chat may take for markup. */
function markupOf(text: string): string {
  return text.replaceAll(/`[^`\n]*`/g, '');
}

describe('the summary for a chat', () => {
  it('says what, when, who holds since when, who waits, and what is marked', () => {
    const text = chatMarkdown(incidentSummary(header, facts));
    expect(text).toMatch(/^\*\*`Orders`, 2023-11-14T22:15:00\.000Z: deadlocks: 1/);
    expect(text).toContain('`/locks/orders`');
    expect(text).toContain('`10.0.0.7`');
    expect(text).toContain('from `10.0.0.7:4711`');
    expect(text).toContain('⚠ deadlocked, held for long');
    expect(text).toContain('2 waiting');
  });

  it.each([
    '[click](command:workbench.action.quit)',
    'a`b``c```d',
    '| a | b |',
    '@here @channel <!channel> <@U123>',
    '# head\n- list\n> quote',
    '**bold** _it_ ~gone~ ![x](http://evil/x.png)',
    '<script>alert(1)</script>',
    '\u202Etxt.exe',
    'x'.repeat(10_000),
    '`',
    '',
  ])('shows %j as code only', name => {
    const [fact] = queueFacts([directory('/locks/a', [{ name: 'R-0000000001', data: name }])]);
    const owner = { session: 0x1000_0000_0000_0000n, alive: 'yes' as const, address: name, server: name };
    const hostile = { ...facts, queues: fact ? [fact] : [], owners: new Map([[owner.session, owner]]), deadlocks: [] };
    const text = chatMarkdown(
      incidentSummary(
        { ...header, cluster: { name, environment: '' }, scope: { kind: 'lock', paths: [name] } },
        hostile,
      ),
    );
    expect(text.length).toBeLessThan(2_000);
    const markup = markupOf(text);
    expect(markup).not.toMatch(/`|command:|\]\(|@(?!\u2060)|<|\||script|evil|txt\.exe|head|~/);
    expect(text).not.toMatch(/@(?!\u2060)/);
    // Our own structure is all that is left: bold lines and lists.
    for (const line of markup.split('\n')) expect(line).toMatch(/^(?:$|\*\*|- | {2}- |[A-Za-z⚠])/);
  });

  it('leaves out most of many locks', () => {
    const many = queueFacts(
      Array.from({ length: 50 }, (_, at) => directory(`/locks/l${String(at)}`, ['R-0000000001', 'W-0000000002'])),
    );
    const text = chatMarkdown(incidentSummary(header, { ...facts, queues: many }));
    expect(text).toContain('and 42 more locks');
    expect(text.length).toBeLessThan(6_000);
  });

  it('escapes what words of ours could not have', () => {
    expect(
      chatMarkdown({ headline: 'a*b @here [x](y) `z`', blocks: [{ kind: 'paragraph', text: foreign('`') }] }),
    ).toBe("**a\\*b @\u2060here \\[x\\](y) \\`z\\`**\n\n`'`\n");
  });
});

it('the report says what is not in the file', () => {
  const less = { ...header, notRead: ['/locks/secret'], notSearched: ['/hidden'], isSearchCut: true };
  const text = textReport(incidentReport({ ...less, changing: ['/locks/busy'] }, facts, []));
  for (const part of ['Locks not read: 1 (/locks/secret)', 'Paths without permission: 1 (/hidden)', '/locks/busy'])
    expect(text).toContain(part);
  expect(text).toContain('The search stopped at its limit');
});

it('the report has everything that the file says', () => {
  const text = textReport(incidentReport(header, facts, [{ file: 'a', offset: 7, what: 'torn tail' }]));
  expect(text).toContain('Held by 10.0.0.7');
  expect(text).toContain('is marked: deadlocked, held for long');
  expect(text).toContain('a, byte 7');
  expect(text).toContain('History: none: only the moment of saving');
});
