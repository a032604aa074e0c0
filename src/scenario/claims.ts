import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { AttemptState } from './attempt.ts';
import type { Claim } from './scenario.ts';

/** A session of the scenario, or contenders of other programs, at one moment. */
export interface Member {
  /** Whether a contender is one of its own. */
  readonly owns: (contender: Contender, queue: LockQueue) => boolean;
  /** By the recipes themselves, the newest last; absent for contenders of other programs. */
  readonly attempts?: readonly { readonly paths: readonly string[]; readonly state: AttemptState }[];
}

/** Everything that claims are compared with, at one moment. */
export interface Sight {
  /** By lock path. */
  readonly queues: ReadonlyMap<string, readonly LockQueue[]>;
  readonly members: ReadonlyMap<string, Member>;
  /** Names of the members of each deadlock; whoever is none is '?'. */
  readonly deadlocks: readonly (readonly string[])[];
  /** Paths of nodes that seem stale. */
  readonly stale: ReadonlySet<string>;
  /** Fencing tokens in the order of the grants, by lock path. */
  readonly tokens: ReadonlyMap<string, readonly bigint[]>;
  /** Notifications of all sessions since the last `expect`, and in the last herd. */
  readonly woken: Readonly<Partial<Record<'since' | 'naive' | 'predecessor', number>>>;
}

type Judge<Kind extends Claim['kind']> = (
  claim: Extract<Claim, { kind: Kind }>,
  paths: readonly string[],
  sight: Sight,
) => boolean;

const judges: { readonly [Kind in Claim['kind']]: Judge<Kind> } = {
  holds: ({ session }, paths, sight) => paths.length > 0 && paths.every(path => holds(session.text, path, sight)),
  waits: ({ session, blocker }, paths, sight) => paths.some(path => waits(session.text, blocker?.text, path, sight)),
  holders: ({ sessions }, paths, sight) =>
    isSame(names(queuesAt(paths, sight), 'holder', sight).sort(), sessions.map(({ text }) => text).sort()),
  waiters: ({ sessions }, paths, sight) =>
    isSame(
      names(queuesAt(paths, sight), 'waiter', sight),
      sessions.map(({ text }) => text),
    ),
  empty: (_, paths, sight) =>
    queuesAt(paths, sight).every(({ contenders, hazards }) => contenders.length === 0 && !hazards.some(isUnread)),
  'tokens grow': (_, paths, { tokens }) => paths.every(path => grow(tokens.get(path) ?? [])),
  woken: ({ recipe, compare, count: limit }, _, { woken }) => {
    const count = woken[recipe ?? 'since'];
    return count !== undefined && (compare === 'at most' ? count <= limit : count >= limit);
  },
  deadlock: ({ sessions }, _, { deadlocks }) => {
    const named = sessions.map(({ text }) => text).sort();
    return named.length === 0 ? deadlocks.length === 0 : deadlocks.some(one => isSame([...one].sort(), named));
  },
  'nothing stale': (_, __, { stale }) => stale.size === 0,
  stale: ({ session }, _, { stale, queues, members }) => {
    const member = members.get(session.text);
    const own = [...queues.values()].flat().flatMap(queue => queue.contenders.filter(one => member?.owns(one, queue)));
    return own.some(({ path }) => stale.has(path));
  },
  'times out': ({ session }, paths, sight) => lastState(session.text, paths, sight) === 'timed out',
  lost: ({ session }, paths, sight) => lastState(session.text, paths, sight) === 'lost',
  uncertain: ({ session }, paths, sight) => lastState(session.text, paths, sight) === 'uncertain',
};

/** Whether a claim is true. @param paths of the locks that it is about; of a claim without, all of the file */
export function isTrue(claim: Claim, paths: readonly string[], sight: Sight): boolean {
  const judge = judges[claim.kind] as Judge<Claim['kind']>;
  return judge(claim, paths, sight);
}

function queuesAt(paths: readonly string[], { queues }: Sight): readonly LockQueue[] {
  return paths.flatMap(path => queues.get(path) ?? []);
}

/** Of the newest attempt at one of these paths; of any, where there are none. */
function lastState(name: string, paths: readonly string[], { members }: Sight): AttemptState | undefined {
  return members.get(name)?.attempts?.findLast(attempt => isAbout(attempt.paths, paths))?.state;
}

function isAbout(attempted: readonly string[], paths: readonly string[]): boolean {
  return paths.length === 0 || paths.some(path => attempted.includes(path));
}

/** By the queue, and by the recipe itself. */
function holds(name: string, path: string, { queues, members }: Sight): boolean {
  const member = members.get(name);
  if (member === undefined) return false;
  const states = member.attempts?.filter(({ paths }) => paths.includes(path)).map(({ state }) => state);
  if (states !== undefined && !states.includes('held')) return false;
  return (queues.get(path) ?? []).some(queue =>
    queue.contenders.some(one => (one.role === 'holder' || one.mayHold === true) && member.owns(one, queue)),
  );
}

function waits(name: string, blocker: string | undefined, path: string, { queues, members }: Sight): boolean {
  const [member, other] = [members.get(name), blocker === undefined ? undefined : members.get(blocker)];
  if (member === undefined || (blocker !== undefined && other === undefined)) return false;
  return (queues.get(path) ?? []).some(queue =>
    queue.contenders.some(one => {
      if (one.role !== 'waiter' || !member.owns(one, queue)) return false;
      const before = queue.contenders.find(each => each.name === one.waitsFor);
      return other === undefined || (before !== undefined && other.owns(before, queue));
    }),
  );
}

function isUnread({ kind }: LockQueue['hazards'][number]): boolean {
  return kind === 'unreadable';
}

/** Who has this role, in the order of the queue; '?' for contenders of no member. */
function names(queues: readonly LockQueue[], role: Contender['role'], { members }: Sight): string[] {
  return queues.flatMap(queue =>
    queue.contenders.filter(one => one.role === role).map(one => nameOf(one, queue, members) ?? '?'),
  );
}

export function nameOf(one: Contender, queue: LockQueue, members: Sight['members']): string | undefined {
  for (const [name, member] of members) if (member.owns(one, queue)) return name;
  return undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

function grow(tokens: readonly bigint[]): boolean {
  return tokens.length > 0 && tokens.every((token, at) => at === 0 || token > (tokens[at - 1] ?? 0n));
}
