import { classifyNames } from '../locks/classifyNames.ts';
import type { ChildNode } from '../locks/lockDirectory.ts';
import { childPath } from '../base/paths.ts';
import { recogniseQueues } from '../locks/recogniseQueues.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { assembleQueues } from './assembleQueues.ts';
import type { Guess, LockSearch } from './lockSearch.ts';
import { readDirectory } from './readDirectory.ts';
import { readNodes, requestFor } from './readNodes.ts';

/** A directory with more children is judged by a part of them: it is more likely a log of messages than a lock. */
const readWhole = 10_000;
const sampleSize = 500;

/**
 * Reads the nodes of a path whose names look like a lock, and tells the search what locks they are, if any, and which of them
 * may have something below. Takes two or three requests, however the guess ends.
 *
 * @throws the failures of reading; a path that vanished or became unreadable meanwhile is no lock
 */
export async function confirmGuess(
  client: ZooKeeperClient,
  guess: Guess,
  search: LockSearch,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (guess.names.length > readWhole) {
    await confirmBySample(client, guess, search, signal);
    return;
  }
  try {
    const reading = await readDirectory(client, guess.path, signal);
    if (reading === undefined) return;
    const directories = [guess.path, ...reading.wantedFurther];
    for (const queue of assembleQueues(reading)) search.confirmed(queue, directories);
    search.descend(guess.path, withoutLeaves(guess.doubtful, reading.directory.children));
  } catch (error) {
    if (!isZooKeeperError(error, 'NO_AUTH')) throw error;
  }
}

async function confirmBySample(
  client: ZooKeeperClient,
  { path, names, doubtful }: Guess,
  search: LockSearch,
  signal: AbortSignal | undefined,
): Promise<void> {
  const sampled = names.slice(0, sampleSize);
  const paths = [path, ...sampled.map(name => childPath(path, name))];
  const [self, ...sample] = await readNodes(client, paths.map(requestFor), signal);
  if (typeof self !== 'object') return;
  const children = sample.filter(reading => typeof reading === 'object');
  const counts = classifyNames(path, names);
  for (const queue of recogniseQueues({ path, self, children, further: new Map() })) {
    const named = counts.find(({ dialect, lockName }) => dialect === queue.dialect && lockName === queue.lockName);
    search.confirmed(queue, [path], named?.contenders);
  }
  const isDoubtful = new Set(doubtful);
  const judged = sampled.filter(name => isDoubtful.has(name));
  const isFlat = judged.length > 0 && withoutLeaves(judged, children).length === 0;
  if (!isFlat) search.descend(path, withoutLeaves(doubtful, children));
}

/** Those that were not seen to have no children: contenders have none, nor have the records of a log. */
function withoutLeaves(names: readonly string[], read: readonly ChildNode[]): string[] {
  const leaves = new Set(read.filter(({ numChildren }) => numChildren === 0).map(({ name }) => name));
  return names.filter(name => !leaves.has(name));
}
