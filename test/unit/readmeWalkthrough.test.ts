import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandIds, contextKeys, viewIds } from '../../src/extension/platform/contributions.ts';

interface Walkthrough {
  steps: {
    id: string;
    title: string;
    description: string;
    media: { svg: string; altText: string };
    completionEvents: string[];
  }[];
}

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const { contributes } = JSON.parse(read('package.json')) as { contributes: { walkthroughs: Walkthrough[] } };
const nls = JSON.parse(read('package.nls.json')) as Record<string, string>;
const textOf = (key: string) => nls[key.slice(1, -1)]!;
const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);
const commands: string[] = [...Object.values(commandIds), ...Object.values(viewIds).map(view => `${view}.focus`)];

describe('the walkthrough', () => {
  it('is one, of seven steps', () => {
    expect(contributes.walkthroughs).toHaveLength(1);
    expect(steps.map(({ id }) => id)).toEqual([
      'addCluster',
      'findLocks',
      'readQueue',
      'record',
      'takeLock',
      'cleanUp',
      'scenarios',
    ]);
  });

  it.each(steps)('has in step $id a button on a line of its own, and leads to commands that exist', step => {
    const description = textOf(step.description);
    expect(description.split('\n').filter(line => /^\[[^\]]+\]\(command:[\w.]+\)$/.test(line))).toHaveLength(1);
    const linked = [...description.matchAll(/\(command:([\w.]+)\)/g)].map(match => match[1]!);
    for (const command of linked) expect(commands).toContain(command);
  });

  it.each(steps)('completes step $id by an event that can happen', ({ completionEvents }) => {
    const known = [
      ...Object.values(commandIds).map(id => `onCommand:${id}`),
      ...Object.values(contextKeys).map(key => `onContext:${key}`),
    ];
    expect(completionEvents).not.toHaveLength(0);
    for (const event of completionEvents) expect(known).toContain(event);
  });

  it.each(steps)('shows in step $id a picture without words, in colours of the theme only', ({ media }) => {
    const svg = read(media.svg);
    expect(svg).not.toMatch(/<text|<image|<style|<script|style=/);
    const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(match => match[1]!);
    expect(colours.length).toBeGreaterThan(5);
    for (const colour of colours) expect(colour).toMatch(/^none$|^var\(--vscode-[\w-]+, #[0-9a-f]{6,8}\)$/);
    expect(textOf(media.altText)).toMatch(/^[A-Z].+\.$/);
  });
});
