import { createHash } from 'node:crypto';
import { Op } from '../../src/zookeeper/wire/records.ts';
import type { SeededRandom } from '../support/seededRandom.ts';
import type { AclEntry, CreateRequest, MultiRequest, Request, SetWatchesRequest } from './requests.ts';

type Random = SeededRandom;

const folders = ['/~', '/~', '/~/a', '/~/a', '/~/b', '/~/a/x', '/~/c', '/~/a/x/k'];
/** The first ones more often: what is rarely made is rarely there. */
const nodes = [
  '/~/a',
  '/~/b',
  '/~/c',
  '/~/a/x',
  '/~/a',
  '/~/b',
  '/~/a/x',
  '/~/a/x/k',
  '/~/b/é✓',
  '/~/a/y',
  '/~/a/x/k/z',
];
const sequentialNames = ['n-', 'm', ''];
/** The root, which all programs share: none lists or changes it. */
const rootPaths = ['/', ''];
const badPaths = [
  'a',
  'a/b',
  '/~/a/',
  '/~//a',
  '/~/./a',
  '/~/../a',
  '/~/a/..',
  '/~/a\0b',
  '/~/a\u0001',
  '/~/\u009f',
  '/~/\uf8ff',
  '/~/\ufff5',
  '/~/\ud83d\ude00',
  '/~/a/x/k/z/v/w',
];

/** A path that exists at times: nodes of the pool, or one of the first sequential ones. */
function path(random: Random): string {
  const dice = random.below(100);
  if (dice < 75) return random.pick(nodes);
  if (dice < 90) return random.pick(folders);
  return dice < 97 ? sequenceNode(random) : random.pick(badPaths);
}

function sequenceNode(random: Random): string {
  return `${random.pick(folders)}/${random.pick(sequentialNames)}${String(random.below(4)).padStart(10, '0')}`;
}

/** As `path`; the root as well, for what only reads. */
function readPath(random: Random): string {
  return random.below(50) === 0 ? random.pick(rootPaths) : path(random);
}

function listPath(random: Random): string {
  return random.below(3) === 0 ? path(random) : random.pick(folders);
}

const everyone: AclEntry = { perms: 31, scheme: 'world', id: 'anyone' };
/** The log-ins of programs. */
export const users = ['alice:secret', 'bob:hidden'] as const;
const [alice, bob] = users.map(user => {
  const hash = createHash('sha1').update(user).digest('base64');
  return `${user.split(':')[0]!}:${hash}`;
}) as [string, string];

const usualAcls: AclEntry[][] = [
  [{ perms: 1, scheme: 'world', id: 'anyone' }],
  [{ perms: 30, scheme: 'world', id: 'anyone' }],
  [{ perms: 27, scheme: 'world', id: 'anyone' }],
  [{ perms: 31, scheme: 'auth', id: '' }],
  [{ perms: 31, scheme: 'auth', id: '' }, everyone],
  [{ perms: 31, scheme: 'digest', id: alice }],
  [
    { perms: 31, scheme: 'digest', id: bob },
    { perms: 1, scheme: 'world', id: 'anyone' },
  ],
  [
    { perms: 3, scheme: 'digest', id: alice },
    { perms: 28, scheme: 'digest', id: bob },
    { perms: 17, scheme: 'ip', id: '127.0.0.1' },
  ],
  [{ perms: 31, scheme: 'ip', id: '127.0.0.1' }],
  [{ perms: 31, scheme: 'ip', id: '127.0.0.0/8' }],
  [
    { perms: 31, scheme: 'ip', id: '10.0.0.0/8' },
    { perms: 16, scheme: 'world', id: 'anyone' },
  ],
  [everyone, everyone],
];

const strangeAcls: (AclEntry[] | null)[] = [
  [],
  null,
  [{ perms: 0, scheme: 'world', id: 'anyone' }],
  [{ perms: 127, scheme: 'world', id: 'anyone' }],
  [{ perms: -1, scheme: 'world', id: 'anyone' }],
  [{ perms: 31, scheme: 'world', id: 'someone' }],
  [{ perms: 31, scheme: 'nonsense', id: 'x' }],
  [{ perms: 31, scheme: 'sasl', id: 'x' }],
  [{ perms: 31, scheme: 'super', id: 'x' }],
  [{ perms: 31, scheme: 'digest', id: 'alice' }],
  [{ perms: 31, scheme: 'digest', id: 'a:b:c' }],
  [{ perms: 31, scheme: 'digest', id: 'a:' }],
  [{ perms: 31, scheme: 'digest', id: ':' }],
  [{ perms: 31, scheme: 'digest', id: ':a' }],
  [{ perms: 31, scheme: 'ip', id: 'x' }],
  [{ perms: 31, scheme: 'ip', id: '127.0.0.1/33' }],
  [{ perms: 31, scheme: 'ip', id: '127.0.0.1/' }],
  [{ perms: 31, scheme: 'ip', id: '127.0.0.1/+8' }],
  [{ perms: 31, scheme: 'ip', id: '127.0.0' }],
  [{ perms: 31, scheme: 'ip', id: '256.0.0.1' }],
  [{ perms: 31, scheme: 'ip', id: '127.0.0.1/0' }],
  [{ perms: 31, scheme: null, id: 'x' }],
  [{ perms: 31, scheme: 'auth', id: null }],
  [{ perms: 31, scheme: 'world', id: null }],
  [everyone, { perms: 31, scheme: 'nonsense', id: 'x' }],
];

function acl(random: Random): AclEntry[] | null {
  const dice = random.below(100);
  if (dice < 60) return [everyone];
  return dice < 96 ? random.pick(usualAcls) : random.pick(strangeAcls);
}

function data(random: Random): string | null {
  const dice = random.below(10);
  if (dice === 0) return null;
  return dice === 1 ? '' : `d${random.below(100)}`;
}

function version(random: Random): number {
  return random.pick([-1, -1, -1, -1, -1, 0, 0, 1, 2, -2]);
}

const createOps: readonly CreateRequest['op'][] = ['create', 'create', 'create2', 'createContainer', 'createTtl'];
const ttls = [3_600_000, 1, 0, -1, 1_099_511_627_775, 1_099_511_627_776];

/** Flags (CreateMode.java) that belong to the request, and at times others. */
function flags(random: Random, op: CreateRequest['op']): number {
  if (random.below(20) === 0) return random.below(8);
  if (op === 'createContainer') return 4;
  return op === 'createTtl' ? random.pick([5, 6]) : random.pick([0, 0, 0, 1, 2, 3]);
}

function create(random: Random): Request {
  const op = random.pick(createOps);
  const chosen = flags(random, op);
  const sequential = chosen === 2 || chosen === 3 || chosen === 6;
  const at =
    sequential && random.below(10) > 0 ? `${random.pick(folders)}/${random.pick(sequentialNames)}` : path(random);
  const request: CreateRequest = { op, path: at, data: data(random), acl: acl(random), flags: chosen };
  if (op !== 'createTtl') return request;
  // A mode without TTL and a negative TTL get past the checks of the real server, which then ends itself.
  const isStrange = random.below(4) === 0 && chosen >= 5;
  return { ...request, ttl: isStrange ? random.pick(ttls) : 3_600_000 };
}

function read(random: Random): Request {
  const watch = random.below(2) === 0;
  const op = random.pick(['exists', 'getData', 'getChildren', 'getChildren2'] as const);
  const isListing = op === 'getChildren' || op === 'getChildren2';
  return { op, path: isListing ? listPath(random) : readPath(random), watch };
}

function otherRead(random: Random): Request {
  const op = random.pick(['getAllChildrenNumber', 'getEphemerals', 'getAcl', 'getAcl', 'getAcl', 'sync'] as const);
  return { op, path: op === 'getAllChildrenNumber' ? random.pick(folders) : readPath(random) };
}

function write(random: Random): Request {
  const op = random.pick(['setData', 'setData', 'setData', 'setAcl'] as const);
  if (op === 'setData') return { op, path: path(random), data: data(random), version: version(random) };
  // The folder stays open: the rest of the program works in it.
  const at = path(random);
  return { op, path: at === '/~' ? '/~/a' : at, acl: acl(random), version: version(random) };
}

function remove(random: Random): Request {
  const at = random.below(40) === 0 ? random.pick(['/', '/zookeeper', '/zookeeper/quota']) : path(random);
  return { op: 'delete', path: at === '/~' ? '/~/b' : at, version: version(random) };
}

function check(random: Random): Request {
  return { op: 'check', path: path(random), version: version(random) };
}

/** Parts that mostly succeed, so that whole transactions do too; later parts may depend on earlier ones. */
function easyPart(random: Random): Request {
  const at = random.pick(nodes);
  const dice = random.below(5);
  if (dice === 0) return { op: 'create', path: `${random.pick(folders)}/n-`, data: 'm', acl: [everyone], flags: 2 };
  if (dice === 1)
    return { op: 'create2', path: at, data: 'm', acl: [everyone], flags: random.pick([0, 0, 0, 1, 1, 4]) };
  if (dice === 2) return { op: 'delete', path: at, version: -1 };
  if (dice === 3) return { op: 'setData', path: at, data: 'm', version: -1 };
  return { op: 'check', path: at, version: random.pick([-1, 0, 1]) };
}

function part(random: Random): Request {
  if (random.below(8) > 0) return easyPart(random);
  return random.pick([create, write, remove, check])(random);
}

function multi(random: Random): Request {
  const parts = Array.from({ length: random.pick([0, 1, 1, 2, 2, 3, 4]) }, () => part(random)).filter(
    ({ op }) => op !== 'setAcl',
  );
  // Reading does not belong here: refused as a whole.
  if (random.below(40) === 0) parts.push({ op: 'getData', path: '/~/a', watch: false });
  return { op: 'multi', parts };
}

function multiRead(random: Random): Request {
  const parts: MultiRequest['parts'] = Array.from({ length: random.below(5) }, () => ({
    op: random.pick(['getData', 'getChildren'] as const),
    path: path(random),
    watch: random.below(4) === 0,
  }));
  if (random.below(40) === 0) parts.push({ op: 'delete', path: '/~/a', version: -1 });
  return { op: 'multiRead', parts };
}

function watch(random: Random): Request {
  const op = random.pick([
    'addWatch',
    'addWatch',
    'addWatch',
    'removeWatches',
    'removeWatches',
    'checkWatches',
  ] as const);
  const strange = random.below(30) === 0;
  if (op === 'addWatch') return { op, path: watchPath(random), mode: strange ? random.pick([-1, 2]) : random.below(2) };
  return { op, path: watchPath(random), mode: strange ? random.pick([-1, 0, 6]) : 1 + random.below(5) };
}

function watchPath(random: Random): string {
  return random.below(5) > 0 ? random.pick(['/~', '/~/a', '/~/b', '/~/c']) : path(random);
}

function setWatches(random: Random): Request {
  const op: SetWatchesRequest['op'] = random.pick(['setWatches', 'setWatches2']);
  const length = op === 'setWatches' ? 3 : 5;
  const lists = Array.from({ length }, () => Array.from({ length: random.below(3) }, () => random.pick(nodes)));
  return { op, relative: random.pick([0, 0, -1, -3, -10, 5]), lists };
}

function auth(random: Random): Request {
  const dice = random.below(10);
  if (dice < 6) return { op: 'auth', scheme: 'digest', credential: random.pick(users) };
  if (dice < 8) return { op: 'auth', scheme: 'digest', credential: random.pick(['', 'carol', ':', 'a:b:c', 'é:✓']) };
  if (dice === 8) return { op: 'auth', scheme: 'ip', credential: '10.1.2.3' };
  return { op: 'auth', scheme: random.pick(['world', 'nonsense', 'auth', 'super', 'sasl', '']), credential: 'x' };
}

function bare(random: Random): Request {
  return { op: random.pick(['whoAmI', 'whoAmI', 'ping', 'closeSession'] as const) };
}

/** Too short, or with lengths that make no sense. */
const unreadableBodies = ['', '00', '0000000a2f', 'fffffffe', '7fffffff2f', '000000022f61'];
const nullPathBodies = ['ffffffff', `ffffffff${'00'.repeat(40)}`];

/** Types without a meaning, and requests that end too early or lack a path. */
function raw(random: Random): Request {
  if (random.below(2) === 0)
    return { op: 'raw', code: random.pick([0, -1, 10, 23, 99, 108, 200, 1_000_000, -100]), body: '' };
  const code = random.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 15, 16, 19, 20, 21, 22, 101, 102, 103, 104, 105, 106]);
  // A real server that watches null no longer ends the connection.
  const bodies = code === Op.addWatch ? unreadableBodies : [...unreadableBodies, ...nullPathBodies];
  return { op: 'raw', code, body: random.pick(bodies) };
}

const kinds: readonly (readonly [weight: number, make: (random: Random) => Request])[] = [
  [24, create],
  [18, read],
  [12, write],
  [10, remove],
  [8, multi],
  [8, otherRead],
  [6, watch],
  [4, multiRead],
  [3, setWatches],
  [3, auth],
  [2, bare],
  [1, raw],
];
const total = kinds.reduce((sum, [weight]) => sum + weight, 0);

export function randomRequest(random: Random): Request {
  // Ends the connection, so it is rare.
  if (random.below(150) === 0) return check(random);
  let dice = random.below(total);
  const [, make] = kinds.find(([weight]) => (dice -= weight) < 0)!;
  return make(random);
}

/**
 * These stand alone. Some are answered when they arrive, not in their turn; after others nothing comes. Requests behind a `setAcl`
 * are judged by the old or by the new ACL, as the threads of the real server run.
 */
const alone = new Set<Request['op']>(['auth', 'check', 'closeSession', 'raw', 'setAcl']);

/**
 * Makes a container or a TTL node with the mode of an ephemeral one. It goes with its session where the real server has not yet applied
 * the create when it prepares the end of the session, and stays otherwise.
 */
function isEphemeralContainer(request: Request): boolean {
  const isOther = request.op === 'createContainer' || request.op === 'createTtl';
  return isOther && (request.flags === 1 || request.flags === 3);
}

/** 2 to 6 requests in one write; at times the last one closes the session. */
export function randomPipeline(random: Random): Request[] {
  const requests = Array.from({ length: 2 + random.below(5) }, () => randomRequest(random)).filter(
    ({ op }) => !alone.has(op),
  );
  if (random.below(15) === 0 && !requests.some(isEphemeralContainer)) requests.push({ op: 'closeSession' });
  return requests.length === 0 ? [{ op: 'ping' }] : requests;
}
