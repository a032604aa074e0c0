import { colorIds, contextValues } from '../platform/contributions.ts';
import { ageText, joined, l10n, momentText } from '../words/language.ts';
import { dialectText } from '../words/contenderText.ts';
import { byKind } from '../../base/byKind.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence, leaseCauseText } from '../words/errorText.ts';
import type { LockLabel } from '../../app/clusters/clusterModel.ts';
import { labelsOf } from '../../app/clusters/lockLabels.ts';
import type { Row } from './row.ts';
import { directoryText } from './viewTexts.ts';
import { countdown, shownAge, shownLeft } from '../../app/testLocks/durations.ts';
import { isProduction, isTimed, type Hold, type TestLock, type TestLockState } from '../../app/testLocks/testLock.ts';
import { othersText, pathsText, recipeText, spanText, standingText, tokenText } from '../words/testLockText.ts';

/** Both clocks: monotonic for spans, epoch for moments, ms. */
export interface Clocks {
  now: number;
  epoch: number;
}

function leftText({ releasesAt }: Hold, now: number): string {
  return releasesAt === undefined
    ? l10n.t('until released')
    : l10n.t('{0} left', countdown(shownLeft(releasesAt - now)));
}

/** The state and its cause in words: icon and colour alone never show a state. */
const stateText = byKind<TestLockState, string, [Clocks]>({
  connecting: () => l10n.t('connecting…'),
  waiting: ({ standing, uncertain }) =>
    joined([uncertain ? l10n.t('uncertain, no contact') : l10n.t('waits'), standingText(standing)]),
  held: ({ hold }, { now }) => joined([l10n.t('held'), leftText(hold, now)]),
  uncertain: ({ cause, hold }, { now }) => {
    const why = cause === undefined ? l10n.t('uncertain') : l10n.t('uncertain: {0}', leaseCauseText(cause));
    return joined([why, leftText(hold, now)]);
  },
  lost: ({ cause }) => (cause === undefined ? l10n.t('lost') : l10n.t('lost: {0}', leaseCauseText(cause))),
  releasing: () => l10n.t('releasing…'),
  stuck: ({ error }) => l10n.t('not released: {0}', errorSentence(error)),
  'auto-released': ({ at, cause }, { epoch }) =>
    cause === 'time'
      ? l10n.t('its time ended, released at {0}', momentText(at, epoch))
      : l10n.t('given up at {0}: this window gave no sign of life', momentText(at, epoch)),
});

function holdParts(state: TestLockState, now: number): string[] {
  if (!('hold' in state)) return [];
  const { token, since } = state.hold;
  return [l10n.t('token {0}', tokenText(token)), l10n.t('for {0}', ageText(shownAge(now - since)))];
}

type Look = Pick<Row, 'icon' | 'color' | 'contextValue'>;

const looks: Record<TestLockState['kind'], Look> = {
  connecting: { icon: 'loading~spin', color: undefined, contextValue: contextValues.testLockWaiting },
  waiting: { icon: 'clockface', color: colorIds.waiter, contextValue: contextValues.testLockWaiting },
  held: { icon: 'key', color: colorIds.holder, contextValue: contextValues.testLockHeld },
  uncertain: { icon: 'warning', color: 'list.warningForeground', contextValue: contextValues.testLockHeld },
  lost: { icon: 'error', color: 'list.errorForeground', contextValue: contextValues.testLockLost },
  releasing: { icon: 'loading~spin', color: undefined, contextValue: contextValues.testLockReleasing },
  stuck: { icon: 'warning', color: 'list.warningForeground', contextValue: contextValues.testLockStuck },
  'auto-released': { icon: 'unlock', color: 'disabledForeground', contextValue: contextValues.testLockEnded },
};

function lookOf(lock: TestLock): Look {
  const { state } = lock;
  const look = looks[state.kind];
  if (state.kind === 'waiting' && state.uncertain) return { ...looks.uncertain, contextValue: look.contextValue };
  return isTimed(lock) ? { ...look, contextValue: contextValues.testLockTimed } : look;
}

function tooltip({ request, state }: TestLock, clocks: Clocks): string {
  const { cluster, recipe, paths, dialect, maxLeases, lockName, identifier, autoReleaseMs } = request;
  const hold = 'hold' in state ? state.hold : undefined;
  const names = dialect === undefined ? l10n.t('the one in use at the path') : dialectText(dialect);
  return joined(
    [
      ...paths.map(path => displayText(path, 1000)),
      lockName === undefined ? '' : l10n.t('Lock: {0}', displayText(lockName)),
      l10n.t('State: {0}', stateText(state, clocks)),
      l10n.t('Recipe: {0}', recipeText(recipe)),
      recipe === 'exclusive' ? '' : l10n.t('Naming scheme: {0}', names),
      maxLeases === undefined ? '' : l10n.t('At most {0} may hold at once', maxLeases),
      l10n.t('Cluster: {0}', displayText(cluster.profile.name)),
      l10n.t('Identifier: {0}', displayText(identifier)),
      autoReleaseMs === undefined
        ? l10n.t('Not released automatically')
        : l10n.t('Released automatically after {0}', spanText(autoReleaseMs)),
      hold === undefined ? '' : l10n.t('Fencing token (czxid): {0}', tokenText(hold.token)),
      ...(hold?.paths.map(path => l10n.t('Own node: {0}', displayText(path, 1000))) ?? []),
    ],
    '\n',
  );
}

/** What the rows of these test locks are called: as the locks are in the Clusters view, by the segments that distinguish them. */
export function testLockLabels(locks: readonly TestLock[]): Map<TestLock, LockLabel> {
  const named = locks.map(lock => ({ lock, path: lock.request.paths[0] ?? '', lockName: lock.request.lockName }));
  return new Map(Array.from(labelsOf(named), ([{ lock }, label]) => [lock, label]));
}

/** The row of a test lock. @param label from `testLockLabels` */
export function testLockRow(lock: TestLock, label: LockLabel, clocks: Clocks): Row {
  const { request, state } = lock;
  const cluster = displayText(request.cluster.profile.name, 60);
  const parts = [stateText(state, clocks), recipeText(request.recipe), ...holdParts(state, clocks.now), cluster];
  return {
    label: othersText(displayText(label.name), request),
    description: joined([...parts, directoryText(label)]),
    tooltip: tooltip(lock, clocks),
    accessibleLabel: joined([l10n.t('Test lock {0}', pathsText(request)), ...parts], ', '),
    ...lookOf(lock),
    parent: false,
    decoration: state.kind === 'auto-released' ? 'dimmed' : isProduction(lock) ? 'production' : undefined,
  };
}
