import { nameOfLock } from '../../app/clusters/clusterModel.ts';
import { longestLink } from '../../app/panel/parseSessionMessage.ts';
import { displayEnd, displayText } from '../../base/displayText.ts';
import { lastSegment } from '../../base/paths.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { BlockerIndex } from '../../inspector/blockers/blockerIndex.ts';
import { pictureNodeLimit, type PictureNode, type WaitPicture } from '../../inspector/blockers/waitPicture.ts';
import type { WaiterId } from '../../inspector/waitForGraph.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { GraphNode, PageLock, SessionState } from '../../sessionProtocol.ts';
import { whoText } from '../words/contenderText.ts';
import { joined, l10n, listed, sentences } from '../words/language.ts';
import { cutText } from '../words/sessionPageText.ts';

/** Names of the neighbours of a node in its description. */
const shownNeighbours = 4;
/** Characters of a line of a node. */
const lineLength = 40;

/** What identifies a lock for the page; absent for a path that is too long for a link. */
export function pageLock({ path, lockName }: Pick<LockQueue, 'path' | 'lockName'>): { lock: PageLock } | undefined {
  if (path.length > longestLink || (lockName?.length ?? 0) > longestLink) return undefined;
  return { lock: { path, ...(lockName === undefined ? {} : { lockName }) } };
}

/** The name of a lock, safe for the screen. */
export function lockNameText({ path, lockName }: Pick<LockQueue, 'path' | 'lockName'>, maxLength = 60): string {
  return displayEnd(nameOfLock({ path, lockName }), maxLength);
}

/** The wait-for graph as the page draws it. The index is not kept. @param own the parties of the subject */
export function graphOf(picture: WaitPicture, index: BlockerIndex, own: ReadonlySet<WaiterId>): SessionState['graph'] {
  const contenders = new Map<string, Contender | undefined>();
  const names = new Map<string, string>();
  for (const node of picture.nodes) {
    if (node.kind === 'party') contenders.set(node.key, contenderOf(index, node.id));
    names.set(node.key, nameOf(node, contenders.get(node.key)));
  }
  const keys = new Map(picture.nodes.map(({ key }, at) => [key, shortKey(key, at)]));
  const ends = new Ends(picture, names);
  return {
    nodes: picture.nodes.map(node => ({
      ...shownNode(node, contenders.get(node.key), names.get(node.key) ?? '', ends),
      key: keys.get(node.key) ?? '',
      isSubject: node.kind === 'party' && own.has(node.id),
    })),
    edges: picture.edges.map(({ kind, from, to }) => ({ kind, from: keys.get(from) ?? '', to: keys.get(to) ?? '' })),
    note: picture.isCut ? cutText(pictureNodeLimit) : '',
  };
}

/** Keys that stay the same keep the focus; paths may be a megabyte long. */
function shortKey(key: string, at: number): string {
  return key.length <= 200 ? key : `${key.slice(0, 100)}#${key.length}#${at}`;
}

function contenderOf(index: BlockerIndex, id: WaiterId): Contender | undefined {
  const party = index.party(id);
  const [place] = party === undefined ? [] : [...party.sources, ...party.waits];
  return place?.contender;
}

function nameOf(node: PictureNode, contender: Contender | undefined): string {
  if (node.kind === 'lock') return lockNameText(node.queue, lineLength);
  return contender === undefined ? displayText(node.id, lineLength) : whoText(contender, lineLength);
}

/** The names of what is at the other ends of the edges of a node. */
class Ends {
  private readonly names = new Map<string, string[]>();

  constructor({ edges }: WaitPicture, names: ReadonlyMap<string, string>) {
    for (const { kind, from, to } of edges) {
      this.add(`${kind} ${from}`, names.get(to) ?? '');
      this.add(`at ${kind} ${to}`, names.get(from) ?? '');
    }
  }

  /** @returns '' if there is none */
  text(key: string): string {
    const all = this.names.get(key) ?? [];
    const shown = all.slice(0, shownNeighbours);
    return listed(all.length > shown.length ? [...shown, l10n.t('and {0} more', all.length - shown.length)] : shown);
  }

  count(key: string): number {
    return this.names.get(key)?.length ?? 0;
  }

  private add(key: string, name: string): void {
    const known = this.names.get(key);
    if (known === undefined) this.names.set(key, [name]);
    else known.push(name);
  }
}

type Described = Omit<GraphNode, 'key' | 'isSubject'>;

function shownNode(node: PictureNode, contender: Contender | undefined, name: string, ends: Ends): Described {
  return node.kind === 'lock'
    ? shownLock(node.queue, node.key, name, ends)
    : shownParty(node.id, node.key, contender, { name, ends });
}

function shownLock(queue: LockQueue, key: string, name: string, ends: Ends): Described {
  const waits = `at waits ${key}`;
  const keeps = ends.text(`holds ${key}`);
  const waiting = ends.text(waits);
  const below = l10n.t('lock · waiting here: {0}', ends.count(waits));
  return {
    kind: 'lock',
    title: name,
    below,
    label: sentences(
      // Begins as the node reads, for those who speak to their computer.
      l10n.t('{0}, {1}.', name, below),
      l10n.t('Path: {0}.', displayEnd(queue.path, 200)),
      keeps === '' ? '' : l10n.t('Kept by {0}.', keeps),
      waiting === '' ? '' : l10n.t('Waiting: {0}.', waiting),
    ),
    ...pageLock(queue),
  };
}

function shownParty(
  id: WaiterId,
  key: string,
  contender: Contender | undefined,
  { name, ends }: { name: string; ends: Ends },
): Described {
  const [keeps, waits] = [ends.text(`at holds ${key}`), ends.text(`waits ${key}`)];
  const { about, whole, ...described } = partyText(id, contender?.ownerSession ?? 0n);
  const below = name === about ? l10n.t('no identifier') : about;
  return {
    ...described,
    title: name,
    below,
    label: sentences(
      l10n.t('{0}, {1}.', name, name === about ? below : whole),
      keeps === '' ? '' : l10n.t('Keeps {0} from others.', keeps),
      waits === '' ? '' : l10n.t('Waits for {0}.', waits),
    ),
  };
}

function partyText(id: WaiterId, owner: bigint) {
  if (!id.startsWith('session ')) {
    const about = l10n.t('node without a session');
    return { kind: 'node' as const, about, whole: joined([about, displayEnd(lastSegment(id), 100)]) };
  }
  const session = sessionText(owner);
  const about = l10n.t('session {0}', session);
  return { kind: 'session' as const, about, whole: about, ...(owner === 0n ? {} : { subject: { session } }) };
}
