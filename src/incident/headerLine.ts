import { zxidText } from '../base/sessionText.ts';
import type { Moment } from '../history/hold.ts';
import { redactionModes, type IncidentHeader, type IncidentSource, type ScopeKind } from './incident.ts';
import { formatName, majorVersion, minorVersion, mostNames } from './incidentLimits.ts';
import { idField, objectOf, pathField, present, textField, textsField, wholeField, wordField } from './lineFields.ts';

const scopeKinds: readonly ScopeKind[] = ['cluster', 'lock', 'deadlock'];
const sources: readonly IncidentSource[] = ['live', 'recording', 'logs'];
/** Characters of names in the header. */
const longestName = 1_000;
/** Of each list of paths: together they stay below the limit of the first line. `bytes`: as JSON. */
const namedPaths = { most: 100, longest: 200, bytes: 10 * 1024 };

/** The version that is written. */
export const writtenVersion = `${String(majorVersion)}.${String(minorVersion)}`;

/** A moment as it stands in a file. */
export function storedMoment({ zxid, time }: Moment): { zxid: string; time: number } {
  return { zxid: zxidText(zxid), time };
}

/** @returns `undefined` for what is no moment */
export function momentField(value: unknown): Moment | undefined {
  const fields = objectOf(value);
  const zxid = idField(fields?.['zxid']);
  const time = wholeField(fields?.['time']);
  return zxid === undefined || time === undefined ? undefined : { zxid, time };
}

function shortPaths(paths: readonly string[]): string[] {
  let bytes = 0;
  return paths
    .filter(path => path.length <= namedPaths.longest)
    .slice(0, namedPaths.most)
    .filter(path => (bytes += Buffer.byteLength(JSON.stringify(path)) + 1) <= namedPaths.bytes);
}

/** The first line of a file, without its end. Of many or long paths only some are in it: the queues name them all. */
export function headerLine(header: Omit<IncidentHeader, 'version'>): string {
  const { savedAt, savedBy, cluster, scope, span, source, redacted, redaction, changing } = header;
  return JSON.stringify({
    format: formatName,
    version: writtenVersion,
    savedAt,
    savedBy,
    cluster: { name: cluster.name.slice(0, longestName), environment: cluster.environment },
    scope: { kind: scope.kind, paths: shortPaths(scope.paths) },
    span: { from: storedMoment(span.from), to: storedMoment(span.to) },
    source,
    redacted,
    ...(redaction === undefined ? {} : { redaction }),
    ...notSeenFields(header),
    ...(changing.length === 0 ? {} : { changing: shortPaths(changing) }),
  });
}

/** Paths for which the line has no room are as good as a search that did not end. */
function notSeenFields({ notSearched = [], notRead = [], isSearchCut = false }: Omit<IncidentHeader, 'version'>) {
  const [hidden, unread] = [shortPaths(notSearched), shortPaths(notRead)];
  const isCut = isSearchCut || hidden.length < notSearched.length || unread.length < notRead.length;
  return {
    ...(hidden.length === 0 ? {} : { notSearched: hidden }),
    ...(unread.length === 0 ? {} : { notRead: unread }),
    ...(isCut ? { isSearchCut: true } : {}),
  };
}

/** `foreign`: no such header; `newer`: of a newer major version. */
export type HeaderReading = IncidentHeader | { refused: 'foreign' } | { refused: 'newer'; version: string };

const version = /^(\d{1,6})\.(\d{1,6})$/;

/** @param value of the first line, as parsed JSON */
export function readHeader(value: unknown): HeaderReading {
  const fields: Fields | undefined = objectOf(value);
  if (fields?.['format'] !== formatName) return { refused: 'foreign' };
  const versionText = textField(fields['version'], 20) ?? '';
  const [, major] = version.exec(versionText) ?? [];
  if (major === undefined) return { refused: 'foreign' };
  if (Number(major) > majorVersion) return { refused: 'newer', version: versionText };
  return known(fields, versionText) ?? { refused: 'foreign' };
}

type Fields = Readonly<Record<string, unknown>>;

function known(fields: Fields, versionText: string): IncidentHeader | undefined {
  const span = objectOf(fields['span']);
  const [from, to] = [momentField(span?.['from']), momentField(span?.['to'])];
  const cluster = clusterOf(fields['cluster']);
  if (from === undefined || to === undefined || cluster === undefined) return undefined;
  return {
    version: versionText,
    savedAt: wholeField(fields['savedAt']) ?? to.time,
    savedBy: textField(fields['savedBy'], longestName) ?? '',
    cluster,
    scope: scopeOf(fields['scope']),
    span: { from, to },
    source: wordField(fields['source'], sources) ?? 'live',
    redacted: fields['redacted'] === true,
    ...present('redaction', wordField(fields['redaction'], redactionModes)),
    ...notSeenOf(fields),
    changing: textsField(fields['changing'], mostNames),
  };
}

function notSeenOf(fields: Fields): Pick<IncidentHeader, 'notSearched' | 'notRead' | 'isSearchCut'> {
  const [notSearched, notRead] = [fields['notSearched'], fields['notRead']].map(paths =>
    textsField(paths, mostNames).flatMap(path => pathField(path) ?? []),
  );
  return {
    ...(notSearched?.length ? { notSearched } : {}),
    ...(notRead?.length ? { notRead } : {}),
    ...(fields['isSearchCut'] === true ? { isSearchCut: true } : {}),
  };
}

function clusterOf(value: unknown): IncidentHeader['cluster'] | undefined {
  const fields = objectOf(value);
  const name = textField(fields?.['name'], longestName);
  return name === undefined ? undefined : { name, environment: textField(fields?.['environment'], longestName) ?? '' };
}

function scopeOf(value: unknown): IncidentHeader['scope'] {
  const fields = objectOf(value);
  return {
    kind: wordField(fields?.['kind'], scopeKinds) ?? 'cluster',
    paths: textsField(fields?.['paths'], mostNames).flatMap(path => pathField(path) ?? []),
  };
}
