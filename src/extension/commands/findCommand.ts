import * as vscode from 'vscode';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { hasSession } from '../../app/clusters/clusterModel.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { subjectFields } from '../../app/panel/savedSession.ts';
import { FindIndex, subjectOf, type Found } from '../../app/sessions/find.ts';
import { monotonicNow } from '../../base/deadline.ts';
import { inTurns } from '../../base/interruptible.ts';
import { askFound } from '../dialogs/findInput.ts';
import { commandIds, type CommandId } from '../platform/contributions.ts';
import { l10n } from '../words/language.ts';
import { foundText } from '../words/findText.ts';
import type { CommandParts } from './clusterCommands.ts';

function hasRows({ node }: ClusterBrowser): boolean {
  return hasSession(node);
}

/** Where something changes all the time, the index is not made again with every key. */
const leastAgeMs = 1_000;

/** The index of all clusters, made again when something has changed and a text is typed. */
class FreshIndex {
  private readonly registry: ClusterRegistry;
  private made: Promise<FindIndex> | undefined;
  private madeAt = 0;
  private isOld = false;

  constructor(registry: ClusterRegistry) {
    this.registry = registry;
  }

  noteChange(): void {
    this.isOld = true;
  }

  get(): Promise<FindIndex> {
    if (this.made !== undefined && !(this.isOld && monotonicNow() - this.madeAt >= leastAgeMs)) return this.made;
    this.isOld = false;
    this.madeAt = monotonicNow();
    const nodes = this.registry.all.filter(hasRows).map(({ node }) => node);
    const made = inTurns(FindIndex.of(nodes));
    this.made = made;
    made.catch(() => {
      // The next text that is typed tries again.
      if (this.made === made) this.made = undefined;
    });
    return made;
  }
}

/** What is asked, and what of the index answers a typed text. */
interface IndexQuestion<T extends Found> {
  title: string;
  placeholder: string;
  find: (index: FindIndex, typed: string) => readonly T[];
}

/**
 * Asks for something of all connected clusters and open recordings.
 *
 * @throws NoClusterError; NothingToDo when nothing is connected; CancelledError
 */
export async function askInClusters<T extends Found>(
  { registry, targets }: Pick<CommandParts, 'registry' | 'targets'>,
  { find, ...question }: IndexQuestion<T>,
): Promise<T> {
  targets.fitting({
    fits: hasRows,
    none: l10n.t(
      'No cluster is connected. Connect one in the Clusters view, or open a recording, to find something in it.',
    ),
  });
  const index = new FreshIndex(registry);
  const following = [registry.onChange(() => index.noteChange()), registry.onNodeChange(() => index.noteChange())];
  try {
    return await askFound({
      ...question,
      find: async typed => find(await index.get(), typed).map(each => ({ ...foundText(each), value: each })),
    });
  } finally {
    for (const each of following) each.dispose();
  }
}

/** What a choice opens, and with which argument. Other code reads these plain objects. */
function opening(found: Found): [CommandId, unknown] {
  if (found.kind === 'lock') return [commandIds.showQueue, found.lock];
  return [commandIds.showSession, { cluster: found.cluster.id, ...subjectFields(subjectOf(found)) }];
}

/**
 * *Find*: locks, clients, addresses and sessions of all connected clusters and open recordings, in one list.
 *
 * @throws NoClusterError; NothingToDo when nothing is connected; CancelledError
 */
export async function findCommand(parts: Pick<CommandParts, 'registry' | 'targets'>): Promise<void> {
  const found = await askInClusters(parts, {
    title: l10n.t('Find Lock, Client or Session'),
    placeholder: l10n.t('Part of a lock, a client, an address, or a session id like 0x100a5b2f0000'),
    find: (index, typed) => index.find(typed),
  });
  const [command, argument] = opening(found);
  await vscode.commands.executeCommand(command, argument);
}
