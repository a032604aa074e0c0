import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../src/scenario/readScenario.ts';
import { claimWords, stepWords } from '../../../src/scenario/statements.ts';

const page = readFileSync('docs/scenarios.md', 'utf8');

/** The examples in the first column of the table below a heading. */
function examples(heading: string): string[] {
  const table = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return table
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/gu)].map(([, example = '']) => example));
}

const problems = (text: string): unknown[] => readScenario(text).problems.map(({ facts }) => facts);
const opening = 'path: /x\nA: acquire mutex\nB: acquire mutex\nC: acquire mutex\n';

describe('docs/scenarios.md', () => {
  it('begins with a scenario that can be played', () => {
    const [, first = ''] = page.split('```\n');
    expect(first).toContain('expect:');
    expect(problems(first)).toEqual([]);
  });

  it.each(examples('Steps'))('has the step %s as it is written', step => {
    expect(problems(`${opening}${step.replace('…', 'wait 1s')}\n`)).toEqual([]);
  });

  it.each(examples('Claims'))('has the claim %s as it is written', claim => {
    expect(problems(`${opening}expect: ${claim}\n`)).toEqual([]);
  });

  it('leaves no word out', () => {
    const steps = examples('Steps').join('\n');
    expect(stepWords.filter(word => word !== 'expect' && !steps.includes(word))).toEqual([]);
    expect(claimWords.filter(word => !page.includes(word))).toEqual([]);
  });
});
