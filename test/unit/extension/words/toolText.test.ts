import { describe, expect, it, vi } from 'vitest';
import type { ClusterNode, SearchState } from '../../../../src/app/clusters/clusterModel.ts';
import type { RecordedTime } from '../../../../src/app/clusters/recordedTime.ts';
import { blockerListReport, lockListReport, toolText } from '../../../../src/extension/words/toolText.ts';
import type { RankedBlocker } from '../../../../src/inspector/blockers/rankBlockers.ts';
import type { WaiterId } from '../../../../src/inspector/waitForGraph.ts';
import { FakeRecording } from '../../app/recordings/fakeRecording.ts';
import { clusterNode, lockNode, now, queueOf } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

function textOf(cluster: ClusterNode, isPaused = false): string {
  const report = lockListReport({ json: {}, cluster, matching: 0, shown: 0 }, isPaused);
  return toolText(report).replaceAll(/\s+/g, ' ');
}

describe('what an answer lacks', () => {
  it.each<[SearchState, string]>([
    [{ kind: 'none' }, 'Locks were not searched for'],
    [{ kind: 'running', visited: 1, locks: 1 }, 'The search for locks has not ended: There may be more locks.'],
    [{ kind: 'failed', error: new Error('x') }, 'The search for locks failed'],
    [{ kind: 'done', visited: 1, truncated: true, denied: [] }, 'stopped at its limit'],
    [
      { kind: 'done', visited: 1, truncated: false, denied: ['/a', '/b'] },
      'may not read 2 directories: There may be more locks there.',
    ],
  ])('is said of a search: %o', (search, words) => {
    expect(textOf(clusterNode({ search }))).toContain(words);
    const recording = new FakeRecording();
    const time = { recording, moment: recording.to } as unknown as RecordedTime;
    expect(textOf(clusterNode({ search, time }))).not.toContain(words);
  });

  it('is who owns nodes that may not be read, one of which may hold', () => {
    const cluster = clusterNode();
    expect(textOf(cluster)).not.toContain('may not be read');
    lockNode({ ...queueOf([]), hazards: [{ kind: 'unreadable', names: ['x'] }] }, cluster, '/l/a');
    expect(textOf(cluster)).toMatch(/1 lock has nodes that may not be read: .*one of them may hold/);
  });

  it('is whether sessions wait for each other, where that was too much to look for', () => {
    const list = { json: {}, cluster: clusterNode(), all: 0, shown: 0, first: undefined };
    const text = (areCyclesKnown: boolean) => toolText(blockerListReport({ ...list, areCyclesKnown }, false));
    expect(text(true)).not.toContain('Circles');
    expect(text(false)).toContain('Circles of waits are not known');
  });

  it('is the contact, or a proof of the moment', () => {
    expect(textOf(clusterNode())).not.toMatch(/contact|Not sure|may be different/);
    const lost = { cause: undefined, lastContactAt: now };
    const time = new Date(now).toISOString();
    const before = 'What is shown was read before, and may be different now.';
    expect(textOf(clusterNode({ connection: { kind: 'uncertain', ...lost } }))).toContain(`No contact since ${time}: ${before}`); // prettier-ignore
    expect(textOf(clusterNode({ connection: { kind: 'lost', ...lost } }))).toContain(`Session lost, last contact at ${time}: ${before}`); // prettier-ignore
    const recording = new FakeRecording();
    recording.sureFrom = { zxid: 99n, time: 99_000 };
    const recorded = { recording, moment: recording.to } as unknown as RecordedTime;
    expect(textOf(clusterNode({ time: recorded }))).toContain(
      'Not sure at this moment: The files do not say for certain',
    );
  });

  it('is how many locks are not read, or not live', () => {
    const cluster = clusterNode();
    lockNode(undefined, cluster, '/l/a');
    lockNode(undefined, cluster, '/l/b');
    lockNode(queueOf([]), cluster, '/l/c').live = false;
    expect(textOf(cluster)).toMatch(
      /1 lock is shown as last read: They are not watched\..*2 locks are not read: Nothing here is about them\./,
    );
  });

  it('is the changes since live updates were paused; a recording has none', () => {
    const cluster = clusterNode();
    lockNode(queueOf([]), cluster, '/l/a').live = false;
    expect(textOf(cluster)).not.toContain('paused');
    expect(textOf(cluster, true)).toContain('Live updates are paused: What is shown was read before');
    // All are then.
    expect(textOf(cluster, true)).not.toContain('as last read');
    const recording = new FakeRecording();
    const time = { recording, moment: recording.to } as unknown as RecordedTime;
    expect(textOf(clusterNode({ time }), true)).not.toContain('paused');
  });
});

describe('the costliest blocker', () => {
  const text = (fields: Partial<RankedBlocker>) => {
    const members: WaiterId[] = ['session 0x1', 'session 0x2', 'session 0x3', 'session 0x4', 'session 0x5'];
    const since = { count: 0, sum: 0, earliest: Infinity };
    const cycle = { kind: 'cycle', members, places: [], waiting: 0, direct: 0, since, isAtLeast: false } as const;
    const first = { ...cycle, ...fields };
    const list = { json: {}, cluster: clusterNode(), all: 1, shown: 1, areCyclesKnown: true };
    const report = blockerListReport({ ...list, first }, false);
    return toolText(report).replaceAll('"', '').replaceAll(/\s+/g, ' ');
  };
  const root = { kind: 'root', members: ['session 0x1'], waiting: 7, direct: 2 } as const;

  it('is a root', () => {
    expect(text(root)).toContain('The first, session 0x1, keeps 7 waiting, 2 of them directly');
    expect(text({ ...root, isAtLeast: true })).toContain('keeps at least 7 waiting, 2 of them directly');
  });

  it('is a circle, whose members wait for each other', () => {
    const circle = 'The first are 5 sessions that wait for each other: session 0x1, session 0x2, session 0x3, 2 more.';
    expect(text({})).toContain(`${circle} No other one waits for them.`);
    expect(text({ isAtLeast: true })).toContain(`${circle} Others may wait for them.`);
    expect(text({ waiting: 3, direct: 1 })).toContain(`${circle} They keep 3 others waiting, 1 of them directly.`);
    expect(text({ waiting: 3, direct: 1, isAtLeast: true })).toContain('They keep at least 3 others waiting');
  });
});
