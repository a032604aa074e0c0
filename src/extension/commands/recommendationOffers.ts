import { createHash } from 'node:crypto';
import { l10n } from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { displayText } from '../../base/displayText.ts';
import { readClusterFile } from '../../app/profiles/clusterFile.ts';
import { importRows } from '../../app/profiles/importPlan.ts';
import { englishText } from '../words/errorText.ts';

/** VS Code's state of the workspace. */
export interface OfferMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface OfferParts {
  memory: OfferMemory;
  store: Pick<ClusterStore, 'profiles'>;
  reporter: Pick<ErrorReporter, 'offer'>;
  logger: Logger;
}

const key = 'recommendedClusters';
const mostRemembered = 50;
const namesShown = 3;

interface Remembered {
  never: boolean;
  /** Hashes of the contents that were offered, the newest last. */
  offered: readonly string[];
}

/** What another version wrote may look otherwise. */
function remembered(memory: OfferMemory): Remembered {
  const stored = memory.get(key);
  if (typeof stored !== 'object' || stored === null) return { never: false, offered: [] };
  const { never, offered } = stored as { never?: unknown; offered?: unknown };
  const texts = Array.isArray(offered) ? offered.filter((hash): hash is string => typeof hash === 'string') : [];
  return { never: never === true, offered: texts };
}

/** Names of the clusters that the file has and the settings have not, or not so. */
function newNames(bytes: Uint8Array, { store, logger }: OfferParts): string[] {
  try {
    const rows = importRows(readClusterFile(bytes), store.profiles);
    return rows.flatMap(row => (row.kind === 'add' ? [row.shared.name] : []));
  } catch (error) {
    // Somebody is writing it: the editor marks what is wrong, and the command says so.
    logger.info(`No clusters are offered: ${englishText(error)}`);
    return [];
  }
}

function offerText(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map(name => displayText(name, 60));
  const list = names.length > namesShown ? `${shown.join(', ')} …` : shown.join(', ');
  return l10n.t('This workspace recommends ZooKeeper clusters: {0}. Nothing is added or connected by itself.', list);
}

/**
 * Offers what a workspace recommends: once for each content, never again if the person says so, and not at all when everything
 * is saved already. Nothing is saved here.
 *
 * @returns whether the person wants to see it
 */
export async function offerRecommended(bytes: Uint8Array, parts: OfferParts): Promise<boolean> {
  const { memory, reporter } = parts;
  const { never, offered } = remembered(memory);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (never || offered.includes(hash)) return false;
  const names = newNames(bytes, parts);
  if (names.length === 0) return false;
  // Before it is answered: a window that is closed with the message open has shown it.
  await memory.update(key, { never, offered: [...offered, hash].slice(-mostRemembered) });
  const answer = await reporter.offer(offerText(names), [
    { label: l10n.t('Show'), value: 'show' as const },
    { label: l10n.t('Not Now'), value: 'later' as const },
    { label: l10n.t('Never for This Workspace'), value: 'never' as const },
  ]);
  if (answer === 'never') await memory.update(key, { ...remembered(memory), never: true });
  return answer === 'show';
}
