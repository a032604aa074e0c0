import { displayText } from '../../base/displayText.ts';
import { clusterOf, type DirectoryNode } from '../../app/clusters/clusterModel.ts';
import { locksBelow } from '../../app/clusters/directories.ts';
import { lockSeverity, type MarkSeverity, type MarkSource } from '../../app/clusters/marks.ts';
import { countTrouble } from '../../app/clusters/trouble.ts';
import { colorIds, contextValues } from '../platform/contributions.ts';
import { joined, l10n } from '../words/language.ts';
import { deadlockLooks, type Row } from './row.ts';
import { lockCountText, troubleCountText } from './viewTexts.ts';

type Look = Pick<Row, 'icon' | 'color'>;

/** The icon called `folder` is left to the theme of file icons, which may have none. */
const plainLook: Look = { icon: 'symbol-folder', color: undefined };

/** At the width of a side bar the words may be cut, and colour alone says nothing. */
const troubleLooks: Readonly<Record<MarkSeverity, Look>> = {
  deadlocked: deadlockLooks.lasting,
  stale: { icon: 'warning', color: colorIds.stale },
};

/** More would leave no room for what is below. Its neighbours begin with other segments, and the last one says what it is. */
function nameText({ name }: DirectoryNode): string {
  const segments = name.split('/');
  return displayText(segments.length < 3 ? name : `${segments[0] ?? ''}/…/${segments.at(-1) ?? ''}`);
}

/** The row of a directory: how many locks are below it, and what is wrong with them. */
export function directoryRow(directory: DirectoryNode, now: number, marks: MarkSource): Row {
  const locks = locksBelow(directory);
  const counts = countTrouble(locks, marks, now);
  const parts = [troubleCountText(counts), lockCountText(locks.length)];
  const isLost = clusterOf(directory).connection.kind === 'lost';
  const severity = lockSeverity(counts);
  const look = severity === undefined ? plainLook : troubleLooks[severity];
  const path = displayText(directory.path);
  return {
    label: nameText(directory),
    description: joined(parts),
    tooltip: joined([path, ...parts], '\n'),
    accessibleLabel: joined([l10n.t('Directory {0}', path), ...parts], ', '),
    ...look,
    ...(isLost ? { color: 'disabledForeground' } : {}),
    contextValue: contextValues.directory,
    parent: true,
    decoration: isLost ? 'dimmed' : severity,
  };
}
