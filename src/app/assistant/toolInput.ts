import * as v from 'valibot';
import { cut } from '../../base/displayText.ts';
import { isLockPath } from '../clusters/clusterProfile.ts';
import { sessionFrom } from '../sessions/sessionInput.ts';
import type { ToolKind } from './toolName.ts';

/** The most characters of each text that a tool takes; package.json repeats them and a test compares. */
export const longestInputs = { cluster: 500, filter: 200, path: 4_096, lockName: 1_000, session: 40 } as const;

/** The most entries that are given out at once, and how many are where no limit is named. */
export const entryLimits = { listLocks: { most: 200, usual: 50 }, findBlockers: { most: 50, usual: 10 } } as const;

/** What a model asks for, checked. An absent cluster is the only one that may be read. */
export type ToolRequest = { cluster?: string } & (
  | { kind: 'listLocks'; filter: string; limit: number }
  | { kind: 'explainLock'; path: string; lockName?: string }
  | { kind: 'findBlockers'; limit: number }
  | { kind: 'showSession'; session: bigint }
);

/** Why an input cannot be used. `field` is one of ours. */
export type InputFault =
  | { kind: 'not-an-object' }
  | { kind: 'missing'; field: string }
  | { kind: 'not-usable'; field: string }
  | { kind: 'too-long'; field: string; limit: number };

type Field = keyof typeof longestInputs;

function text<F extends Field>(field: F) {
  return v.pipe(v.string(), v.maxLength(longestInputs[field]));
}

/** Models name what they leave out `null` or ''. */
function optional<F extends Field>(field: F) {
  return v.pipe(
    v.nullish(text(field), ''),
    v.transform(value => (value === '' ? undefined : value)),
  );
}

function limitOf(kind: keyof typeof entryLimits) {
  const { most, usual } = entryLimits[kind];
  return v.pipe(
    v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1)), usual),
    v.transform(limit => Math.min(most, limit)),
  );
}

const cluster = optional('cluster');

const schemas = {
  listLocks: v.object({
    kind: v.literal('listLocks'),
    cluster,
    filter: v.pipe(
      optional('filter'),
      v.transform(filter => filter ?? ''),
    ),
    limit: limitOf('listLocks'),
  }),
  explainLock: v.object({
    kind: v.literal('explainLock'),
    cluster,
    path: v.pipe(text('path'), v.check(isLockPath)),
    lockName: optional('lockName'),
  }),
  findBlockers: v.object({ kind: v.literal('findBlockers'), cluster, limit: limitOf('findBlockers') }),
  showSession: v.object({
    kind: v.literal('showSession'),
    cluster,
    session: v.pipe(
      text('session'),
      v.transform(id => sessionFrom(id)),
      v.bigint(),
    ),
  }),
} as const;

/** Checks the input of a tool. What is not asked for is left out. @param input anything; VS Code does not check it against the schema */
export function readInput(kind: ToolKind, input: unknown): ToolRequest | InputFault[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [{ kind: 'not-an-object' }];
  const own = Object.entries(input).filter(([name]) => Object.hasOwn(schemas[kind].entries, name));
  const read = v.safeParse(schemas[kind], { ...Object.fromEntries(own), kind }, { abortPipeEarly: true });
  if (read.success) return withoutAbsent(read.output);
  return [...new Map(read.issues.map(issue => faultOf(issue)).map(fault => [fault.field, fault])).values()];
}

function withoutAbsent(output: object): ToolRequest {
  return Object.fromEntries(Object.entries(output).filter(([, value]) => value !== undefined)) as ToolRequest;
}

function faultOf({ type, path, input }: v.BaseIssue<unknown>): Exclude<InputFault, { kind: 'not-an-object' }> {
  const key = path?.[0]?.key;
  const field = typeof key === 'string' ? key : '';
  if (type === 'max_length') return { kind: 'too-long', field, limit: longestInputs[field as Field] };
  // The text of a session id that cannot be read is there, and undefined only behind its transformation.
  const isMissing = input === undefined && type !== 'bigint';
  return { kind: isMissing ? 'missing' : 'not-usable', field };
}

const longestShown = 80;

/** An input for the log and the confirmation: its known fields, each shortened. Foreign text. */
export function shortInput(kind: ToolKind, input: unknown): [field: string, value: string][] {
  if (typeof input !== 'object' || input === null) return [];
  const known = Object.keys(schemas[kind].entries).filter(name => name !== 'kind');
  return known.flatMap((name): [string, string][] => {
    const value: unknown = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
    if (value === undefined || value === null || value === '') return [];
    if (typeof value === 'string') return [[name, cut(value, longestShown)]];
    return [[name, typeof value === 'number' ? String(value) : typeof value]];
  });
}
