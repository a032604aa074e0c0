import type { Extension, Uri } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import type { DeferredMarks } from '../../app/clusters/marks.ts';
import type { PastParts } from '../../app/incidents/incidentPast.ts';
import type { OpenRecordings } from '../../app/recordings/openRecordings.ts';
import { commandIds } from '../platform/contributions.ts';
import type { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import type { CommandParts } from './clusterCommands.ts';

/** What the commands of incident files work with. */
export interface IncidentParts
  extends
    Pick<CommandParts, 'registry' | 'reporter' | 'security' | 'targets' | 'logger'>,
    Pick<PastParts, 'recorders'> {
  recordings: OpenRecordings;
  texts: ReadOnlyTexts;
  marks: DeferredMarks;
  /** Of this extension. */
  version: string;
}

const commands = [
  [commandIds.saveIncident, 'saveIncident'],
  [commandIds.openIncident, 'openIncident'],
  [commandIds.showIncidentReport, 'showIncidentReport'],
  [commandIds.compareIncidents, 'compareIncidents'],
  [commandIds.copyAsMarkdown, 'copyAsMarkdown'],
] as const;

/** The functions behind the commands, loaded when one of them runs for the first time. `selected`: all rows of the Explorer. */
export type IncidentCommands = Record<
  (typeof commands)[number][1],
  (parts: IncidentParts, argument: unknown, selected: unknown) => Promise<void>
>;

/** Registers the commands of incident files. No file is read and no code loaded before one of them runs. */
export function registerIncidents(
  parts: IncidentParts &
    Pick<CommandParts, 'register'> & { load: () => Promise<{ incidentCommands: IncidentCommands }> },
): Disposable {
  const { register, load } = parts;
  const owned = new DisposableStore();
  for (const [id, name] of commands) {
    owned.add(
      register(id, async (argument, selected) => (await load()).incidentCommands[name](parts, argument, selected)),
    );
  }
  return owned;
}

/** The version in the manifest. */
export function versionOf({ packageJSON }: Pick<Extension<unknown>, 'packageJSON'>): string {
  const version: unknown = isObject(packageJSON) ? packageJSON['version'] : undefined;
  return typeof version === 'string' ? version : '';
}

/** A file of the Explorer, or of an editor. */
export type IncidentFile = Pick<Uri, 'scheme' | 'fsPath'>;
