import type { Change } from '../../../src/dataTree/transaction.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import { created, FollowedTree } from './followedTree.ts';

const sessions = [0x10n, 0x20n, 0x30n, 0x40n] as const;

type Naming = (random: SeededRandom, number: string) => string;

const hex = (random: SeededRandom, length: number): string =>
  Array.from({ length }, () => random.below(16).toString(16)).join('');
const uuid = (random: SeededRandom): string => [8, 4, 4, 4, 12].map(length => hex(random, length)).join('-');
const fixed =
  (...stems: string[]): Naming =>
  (random, number) =>
    `${random.pick(stems)}${number}`;
const words =
  (...names: string[]): Naming =>
  random =>
    random.pick(names);
const curator =
  (...markers: string[]): Naming =>
  (random, number) =>
    `_c_${uuid(random)}-${random.pick(markers)}${number}`;
const kazoo: Naming = (random, number) => `${hex(random, 32)}${random.pick(['__lock__', '__rlock__'])}${number}`;
const goLock: Naming = (random, number) => `_c_${hex(random, 32)}-lock-${number}`;
const lone = words('leader', 'initialize', 'controller', 'job-7', 'lock', 'lease_holder', 'master');

/** Directories, each with the names that come there. Several naming schemes meet in some. */
const directories: readonly [path: string, namings: readonly Naming[]][] = [
  ['/a/mutex', [curator('lock-')]],
  ['/a/plain', [fixed('lock-')]],
  ['/a/mixed', [curator('lock-'), goLock, kazoo, words('stranger')]],
  ['/a/kazoo', [kazoo]],
  ['/a/rw', [curator('__READ__', '__WRIT__')]],
  ['/a/latch', [curator('latch-'), curator('own-')]],
  ['/a/jobs', [fixed('x_lock_', 'y_lock_')]],
  ['/a/letters', [fixed('host-R-', 'host-W-', 'R-', 'W-')]],
  ['/a/ruby', [fixed('ballot', 'sem', 'ex', 'sh'), words('leader_ack')]],
  ['/a/solr', [(random, number) => `${random.below(9)}-core-n_${number}`, words('odd')]],
  ['/a/net', [fixed('semaphore-'), fixed('read-', 'write-')]],
  ['/a/generic', [fixed('p', 'p-', 'q'), words('leaderless')]],
  ['/a/zlocks/zlock', [(random, number) => `zlock#${uuid(random)}#${number}`, fixed('flock#')]],
  ['/a/queue', [fixed('work-', 'msg-')]],
  ['/a/group', [fixed('0')]],
  ['/b/locks', [lone, fixed('any-')]],
  ['/b/locks/deep', [curator('lock-'), lone]],
  ['/b', [lone, words('services')]],
  ['/service/db', [lone]],
  ['/sem', [words('locks', 'leases', 'more')]],
  ['/sem/locks', [curator('lock-'), words('odd')]],
  ['/sem/leases', [curator('lease-')]],
  ['/k', [words('ksem', 'ksem-__lock__')]],
  ['/k/ksem', [random => hex(random, 32), words('odd')]],
  ['/k/ksem-__lock__', [kazoo, words('odd')]],
  ['/x/shedlock', [lone]],
  ['/a/plain/lock-0000000001', [lone]],
];

const contents = ['', 'me', 'ACQUIRED', '{"id":"e","container":"c"}', '2026-01-01T00:00:00.000Z', '__REVOKE__'];

/** Locks of many libraries, and what is none, that come and go. */
export class RandomPlay {
  readonly tree = new FollowedTree();
  private readonly random: SeededRandom;
  /** Some of them, so that queues grow. */
  private readonly places: typeof directories;
  private counter = 0;

  constructor(seed: number) {
    const random = seededRandom(seed);
    this.random = random;
    const chosen = new Set(Array.from({ length: 4 }, () => random.pick(directories)[0].split('/')[1]));
    this.places = directories.filter(
      ([path], at) => chosen.has(path.split('/')[1]) && (at > 12 || random.below(3) === 0),
    );
  }

  step(): void {
    const { random, tree } = this;
    const dice = random.below(100);
    const session = random.pick(sessions);
    if (dice < 4) tree.apply({ type: 'closeSession' }, session, random.below(2));
    else if (dice < 6) this.gap();
    else if (dice < 14) tree.apply({ type: 'multi', parts: [this.change(session), this.change(session)] }, session);
    else tree.apply(this.change(session), session);
  }

  private change(session: bigint): Change {
    const { random, tree } = this;
    const [directory, namings] = random.pick(this.places);
    const present = [...tree.tree.childrenOf(directory)];
    if (present.length > 0 && random.below(100) < 45) return this.changeOf(`${directory}/${random.pick(present)}`);
    const parent = this.missingOf(directory);
    if (parent !== undefined) return created(parent, 0n);
    const name = random.pick(namings)(random, this.number());
    const path = `${directory}/${name}`;
    const isDirectory = directories.some(([each]) => each === path);
    const owner = isDirectory || random.below(10) === 0 ? 0n : session;
    return created(path, owner, random.pick(contents));
  }

  private changeOf(path: string): Change {
    const { random, tree } = this;
    const isLeaf = tree.tree.get(path)?.childCount === 0;
    return isLeaf && random.below(4) > 0 ? { type: 'delete', path } : tree.written(path, random.pick(contents));
  }

  /** The first directory on the way that is not there; an ephemeral node in the way stays childless. */
  private missingOf(directory: string): string | undefined {
    const segments = directory.slice(1).split('/');
    const ways = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
    return ways.find(way => this.tree.tree.get(way) === undefined);
  }

  /** Mostly the next one; some are equal, lower, or negative. */
  private number(): string {
    const { random } = this;
    this.counter++;
    const dice = random.below(20);
    if (dice === 0) return `-${String(2_147_483_647 - random.below(9)).padStart(9, '0')}`;
    return String(dice < 3 ? Math.max(0, this.counter - random.below(5)) : this.counter).padStart(10, '0');
  }

  protected gap(): void {
    const { tree } = this;
    tree.follower.interrupt(tree.moment);
    tree.applyUnseen(this.change(0x50n), 0x50n);
    tree.begin();
  }
}
