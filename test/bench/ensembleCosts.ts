import { markdownTable, type RowReport } from './report.ts';
import { round } from './verdicts.ts';

/** How the tool is used in a large company; everything else is measured. */
const users = 1_000;
const allLocks = 100_000;
/** What one user has on screen. */
const shownPerUser = 50;
/** `zookeeperLocks.maxWatchedLocks` as it comes. */
const mostShown = 200;
const contendersPerLock = 10;
/** Contenders that come or go at one lock, per second. */
const changesPerSecond = 0.1;

/** What the tool costs an ensemble, reckoned from the measured costs of one lock. @returns text for the document */
export function ensembleCosts(rows: readonly RowReport[]): string {
  const figures = rows.find(({ id }) => id === 'unit-costs')?.figures ?? [];
  const cost = (measure: string): number =>
    figures.find(figure => figure.measure === measure && figure.size === contendersPerLock)?.median ?? Number.NaN;
  const line = (name: string, each: number, unit: string, times: number): string[] => {
    return [name, `${round(each)} ${unit}`, `${round(each * times)} ${unit}`, `${round(each * users * times)} ${unit}`];
  };
  const changes = shownPerUser * changesPerSecond;
  const table = markdownTable([
    ['cost', 'of one lock', 'of one user', `of ${users.toLocaleString('en-US')} users`],
    line('watches', 1, '', shownPerUser),
    line('bytes to show what is on screen, once', cost('bytes to show a lock'), 'bytes', shownPerUser),
    line('requests to show what is on screen, once', cost('requests to show a lock'), '', shownPerUser),
    line('requests while it changes, per second', cost('requests for a change') * changesPerSecond, '', shownPerUser),
    line('bytes while it changes, per second', cost('bytes for a change') * changesPerSecond, 'bytes', shownPerUser),
  ]);
  return [
    `### On paper: ${users.toLocaleString('en-US')} users, ${allLocks.toLocaleString('en-US')} locks`,
    `Each user has ${shownPerUser} locks on screen (the cap is ${mostShown}), each with ${contendersPerLock} contenders, of which ` +
      `one comes or goes every ${round(1 / changesPerSecond)} s: ${round(changes)} changes per user and second. The unit costs ` +
      'are those of the row above. What is not on screen costs nothing: the number of locks in the ensemble does not occur.',
    table,
  ].join('\n\n');
}
