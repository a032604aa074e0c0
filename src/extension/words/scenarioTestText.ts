import type { ScenarioImpact } from '../../app/scenarios/scenarioImpact.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { displayEnd, displayText } from '../../base/displayText.ts';
import { sentences, inEditor, type Language, l10n, listed, nameText } from './language.ts';

/** Longest label of a file or an expectation, characters. */
const longestLabel = 120;

/** Paths that a question names. */
const namedPaths = 20;

/** The label of a file: paths differ at their ends. */
export function fileLabel(path: string): string {
  return displayEnd(path, longestLabel);
}

/** A line of a scenario, as a label or in the output. */
export function lineText(text: string): string {
  return displayText(text.trim(), longestLabel);
}

/** A message about a line, where nothing else shows which one. Lines are counted from 1. */
export function atLine(line: number, text: string, l10n: Language = inEditor): string {
  return l10n.t('Line {0}: {1}', line + 1, text);
}

/** Claims of an `expect` that did not come true. @param claims as they are written */
export function notSoText(claims: readonly string[]): string {
  return l10n.t('Not so in time: {0}', listed(claims.map(lineText)));
}

/** Where a file is played, for the output. @param profile `undefined`: on a sandbox of its own */
export function placeText(profile: Pick<ClusterProfile, 'name'> | undefined): string {
  return profile === undefined ? l10n.t('on a sandbox of its own') : l10n.t('on {0}', nameText(profile.name));
}

/** What a file says that names a cluster which is not in the list. @param names of those that are */
export function unknownClusterText(name: string, names: readonly string[]): string {
  const known = listed([...names.slice(0, namedPaths), ...(names.length > namedPaths ? ['…'] : [])].map(nameOf));
  return sentences(
    l10n.t('There is no cluster with the name {0} here.', nameText(name)),
    l10n.t('This can be written: {0}.', known),
  );
}

function nameOf(name: string): string {
  return name === '…' ? name : nameText(name);
}

/** What a file says whose name of a cluster could mean several. */
export function ambiguousText(name: string): string {
  return sentences(
    l10n.t('Several clusters have the name {0}.', nameText(name)),
    l10n.t('Edit the clusters so that their names differ.'),
  );
}

/** Why a file is not played in a run that began by itself. */
export function leftOutText(name: string): string {
  return l10n.t('Not run by itself: the file names the cluster {0}. Run it there by hand.', nameText(name));
}

/** What is asked before scenarios are played on a cluster that others use. */
export function liveQuestion(
  { name, environment }: Pick<ClusterProfile, 'name' | 'environment'>,
  files: number,
  { paths, leaves, cuts, herd }: ScenarioImpact,
): { question: string; detail: string } {
  const shown = displayText(name);
  const question =
    environment === 'production'
      ? l10n.t('Run scenarios on the production cluster "{0}"?', shown)
      : l10n.t('Run scenarios on the cluster "{0}"?', shown);
  const rest = paths.length - namedPaths;
  const named = listed(paths.slice(0, namedPaths).map(path => nameText(path, 200)));
  const locks = rest > 0 ? l10n.t('Locks: {0} and {1} more', named, rest) : l10n.t('Locks: {0}', named);
  const lines = [
    l10n.t('Files: {0}', files),
    locks,
    '',
    l10n.t('Created: ephemeral nodes of its own sessions in these queues, and directories that are missing.'),
    leaves
      ? l10n.t('Created as well: persistent nodes, which block others like those of a program that has crashed.')
      : '',
    herd > 0 ? l10n.t('Sessions of a herd at the same time: {0}.', herd) : '',
    cuts ? l10n.t('Sessions that the scenarios have opened are ended or cut off; no others.') : '',
    l10n.t('Real services that use these locks may be blocked meanwhile.'),
    l10n.t('At the end everything is removed.'),
  ];
  return { question, detail: lines.filter((line, at) => line !== '' || at === 2).join('\n') };
}
