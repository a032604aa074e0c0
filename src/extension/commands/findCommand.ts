import * as vscode from 'vscode';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { hasSession } from '../../app/clusters/clusterModel.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { FindIndex, type Found } from '../../app/sessions/find.ts';
import { monotonicNow } from '../../base/deadline.ts';
import { inTurns } from '../../base/interruptible.ts';
import { sessionText } from '../../base/sessionText.ts';
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

/** What a choice opens, and with which argument. Other code reads these plain objects. */
function opening(found: Found): [CommandId, unknown] {
  const cluster = found.cluster.id;
  switch (found.kind) {
    case 'lock':
      return [commandIds.showQueue, found.lock];
    case 'session':
      return [commandIds.showSession, { cluster, session: sessionText(found.session) }];
    case 'identifier':
      return [commandIds.showSession, { cluster, identifier: found.identifier }];
    case 'address':
      return [commandIds.showSession, { cluster, address: found.address }];
  }
}

/**
 * *Find*: locks, clients, addresses and sessions of all connected clusters and open recordings, in one list.
 *
 * @throws NoClusterError; NothingToDo when nothing is connected; CancelledError
 */
export async function findCommand({ registry, targets }: Pick<CommandParts, 'registry' | 'targets'>): Promise<void> {
  targets.fitting({
    fits: hasRows,
    none: l10n.t(
      'No cluster is connected. Connect one in the Clusters view, or open a recording, to find something in it.',
    ),
  });
  const index = new FreshIndex(registry);
  const following = [registry.onChange(() => index.noteChange()), registry.onNodeChange(() => index.noteChange())];
  try {
    const found = await askFound({
      title: l10n.t('Find Lock, Client or Session'),
      placeholder: l10n.t('Part of a lock, a client, an address, or a session id like 0x100a5b2f0000'),
      find: async typed => (await index.get()).find(typed).map(each => ({ ...foundText(each), value: each })),
    });
    const [command, argument] = opening(found);
    await vscode.commands.executeCommand(command, argument);
  } finally {
    for (const each of following) each.dispose();
  }
}
