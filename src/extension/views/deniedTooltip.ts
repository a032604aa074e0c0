import { l10n } from 'vscode';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence } from '../words/errorText.ts';

/** Each costs three small requests, so they are asked for when the person looks, and only so many. */
const maxExplained = 5;
const maxNamed = 20;

/**
 * Why branches are closed to us: which right is missing, the ACL if it may be read, and who we are. The search kept the paths
 * only, so the servers are asked again.
 *
 * @param client one that explains denials (`explainDenials`); `undefined`: only the paths are told
 * @returns safe for the screen
 */
export async function deniedTooltip(client: ZooKeeperClient | undefined, paths: readonly string[]): Promise<string> {
  const explained = client === undefined ? [] : paths.slice(0, maxExplained);
  const texts = await Promise.all(explained.map(path => explain(client, path)));
  const named = paths.slice(explained.length, maxNamed).map(path => displayText(path));
  const rest = paths.length - explained.length - named.length;
  return [...texts, ...named, ...(rest > 0 ? [l10n.t('and {0} more', rest)] : [])].join('\n');
}

async function explain(client: ZooKeeperClient | undefined, path: string): Promise<string> {
  const shown = displayText(path);
  try {
    await client?.getChildren(path);
    return l10n.t('{0} may be read now: refresh the cluster.', shown);
  } catch (error) {
    const text = errorSentence(error);
    return text.includes(shown) ? text : `${shown}: ${text}`;
  }
}
