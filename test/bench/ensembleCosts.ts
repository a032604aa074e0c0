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

function amount(value: number, unit: string): string {
  // A search takes less than one request in a hundred locks.
  if (unit !== 'B') return value < 0.01 ? value.toPrecision(1) : round(value);
  const [divisor, name] =
    value >= 1e9 ? [1e9, 'GB'] : value >= 1e6 ? [1e6, 'MB'] : value >= 1e3 ? [1e3, 'KB'] : [1, 'B'];
  return `${round(value / divisor)} ${name}`;
}

/** What the tool costs an ensemble, reckoned from the measured costs of one lock. @returns text for the document */
export function ensembleCosts(rows: readonly RowReport[]): string {
  const figures = rows.find(({ id }) => id === 'unit-costs')?.figures ?? [];
  const cost = (measure: string): number =>
    figures.find(figure => figure.measure === measure && figure.size === contendersPerLock)?.median ?? Number.NaN;
  const line = (name: string, unit: string, each: number, times: number): string[] => [
    name,
    amount(each, unit),
    amount(each * times, unit),
    amount(each * times * users, unit),
  ];
  const shown = (name: string, unit: string, each: number): string[] => line(name, unit, each, shownPerUser);
  const changes = shownPerUser * changesPerSecond;
  const searched = cost('locks searched');
  const watches = cost('watches to show a lock');
  const table = markdownTable([
    ['cost', 'of one lock', 'of one user', `of ${users.toLocaleString('en-US')} users`],
    shown('watches', '', watches),
    shown("the watches in each server's heap, at most", 'B', watches * cost("a watch in the server's heap")),
    shown('requests to show what is on screen, once', '', cost('requests to show a lock')),
    shown('the bytes of that', 'B', cost('bytes to show a lock')),
    shown('requests while it changes, per second', '', cost('requests for a change') * changesPerSecond),
    shown('the bytes of that, per second', 'B', cost('bytes for a change') * changesPerSecond),
    line('requests to search all locks, once', '', cost('requests of that search') / searched, allLocks),
    line('the bytes of that', 'B', cost('bytes of that search') / searched, allLocks),
  ]);
  return [
    `### On paper: ${users.toLocaleString('en-US')} users, ${allLocks.toLocaleString('en-US')} locks`,
    `Each user has ${shownPerUser} locks on screen (the cap is ${mostShown}), each with ${contendersPerLock} contenders, of which ` +
      `one comes or goes every ${round(1 / changesPerSecond)} s: ${round(changes)} changes per user and second. The unit costs ` +
      'are those of the row above. What is not on screen costs nothing: the number of locks in the ensemble counts for a search ' +
      `only, which is reckoned from one of ${round(searched)} locks. ` +
      'Requests and bytes of reads are spread over the servers of an ensemble; a watch is kept by the one server that its ' +
      'session is connected to.',
    table,
  ].join('\n\n');
}
