import { dialectLabels, type Contender, type DialectId, type Hazard, type HeldSince } from '../locks/lockQueue.ts';
import {
  incidentMarks,
  type CycleStep,
  type DeadlockFact,
  type ExplanationFact,
  type IncidentFacts,
  type IncidentMark,
  type OwnerFact,
  type QueueFact,
  type StaleFact,
} from './incident.ts';
import { mostFacts, mostNames } from './incidentLimits.ts';
import { idField, objectOf, pathField, present, textField, textsField, wholeField, wordField } from './lineFields.ts';
import { readReport } from './storedReport.ts';

type Fields = Readonly<Record<string, unknown>>;

const kinds: readonly Contender['kind'][] = ['exclusive', 'read', 'write', 'lease', 'candidate'];
const roles: readonly Contender['role'][] = ['holder', 'waiter'];
const hazardKinds: readonly Hazard['kind'][] = [
  'duplicate-sequence',
  'negative-sequence',
  'sequence-nearly-exhausted',
  'strangers-block',
  'mixed-dialects',
  'sight-unknown',
  'one-lock-or-several',
  'not-ephemeral',
  'limit-unknown',
  'order-differs-from-creation',
  'unreadable',
];
const dialects: ReadonlySet<string> = new Set(Object.keys(dialectLabels));
const longestIdentifier = 1_000;

/** `bad`: of a known type, but not of its form. `full`: there are more facts than are read. */
export type FactReading = 'taken' | 'unknown' | 'bad' | 'full';

/** Takes the facts of a file line by line. Total: any JSON value gives an answer. */
export class FactReader {
  private readonly queues: QueueFact[] = [];
  private readonly owners = new Map<bigint, OwnerFact>();
  private readonly stale: StaleFact[] = [];
  private readonly deadlocks: DeadlockFact[] = [];
  private readonly explanations: ExplanationFact[] = [];
  private current: { contenders: Contender[]; marks: Map<string, readonly IncidentMark[]> } | undefined;
  private count = 0;
  private readonly rows = new Map<unknown, (fields: Fields) => boolean>([
    ['queue', fields => this.takeQueue(fields)],
    ['contender', fields => this.takeContender(fields)],
    ['owner', fields => this.takeOwner(fields)],
    ['stale', fields => add(this.stale, staleOf(fields))],
    ['deadlock', fields => add(this.deadlocks, deadlockOf(fields))],
    ['explanation', fields => add(this.explanations, explanationOf(fields))],
  ]);

  get facts(): IncidentFacts {
    const { queues, owners, stale, deadlocks, explanations } = this;
    return { queues, owners, stale, deadlocks, explanations };
  }

  /** @param value a line, as parsed JSON */
  take(value: unknown): FactReading {
    const fields = objectOf(value);
    const row = this.rows.get(fields?.['type']);
    if (fields === undefined || row === undefined) return 'unknown';
    if (this.count >= mostFacts) return 'full';
    if (!row(fields)) return 'bad';
    this.count++;
    return 'taken';
  }

  private takeQueue(fields: Fields): boolean {
    const path = pathField(fields['path']);
    // Contenders behind a queue that cannot be read are of no queue.
    this.current = undefined;
    if (path === undefined) return false;
    const dialect = textField(fields['dialect']) ?? '';
    const queue = {
      path,
      ...present('lockName', textField(fields['lockName'])),
      // A library that a later version knows.
      dialect: dialects.has(dialect) ? (dialect as DialectId) : 'generic',
      ...present('maxLeases', wholeField(fields['maxLeases'])),
      contenders: [],
      strangers: textsField(fields['strangers'], mostNames),
      hazards: hazardsOf(fields['hazards']),
    };
    const marks = new Map<string, readonly IncidentMark[]>();
    this.current = { contenders: queue.contenders, marks };
    this.queues.push({ queue, marks });
    return true;
  }

  private takeContender(fields: Fields): boolean {
    const contender = contenderOf(fields);
    if (this.current === undefined || contender === undefined) return false;
    this.current.contenders.push(contender);
    const given = textsField(fields['marks'], incidentMarks.length);
    const marks = incidentMarks.filter(mark => given.includes(mark));
    if (marks.length > 0) this.current.marks.set(contender.path, marks);
    return true;
  }

  private takeOwner(fields: Fields): boolean {
    const session = idField(fields['session']);
    const alive = wordField(fields['alive'], ['yes', 'no', 'unknown'] as const);
    if (session === undefined || alive === undefined) return false;
    this.owners.set(session, {
      session,
      alive,
      ...present('address', textField(fields['address'], longestIdentifier)),
      ...present('server', textField(fields['server'], longestIdentifier)),
      ...present('timeoutMs', wholeField(fields['timeoutMs'])),
    });
    return true;
  }
}

function add<T>(list: T[], value: T | undefined): boolean {
  if (value === undefined) return false;
  list.push(value);
  return true;
}

function hazardsOf(value: unknown): Hazard[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, hazardKinds.length).flatMap((each: unknown) => {
    const fields = objectOf(each);
    const kind = wordField(fields?.['kind'], hazardKinds);
    return kind === undefined ? [] : [{ kind, names: textsField(fields?.['names'], mostNames) }];
  });
}

function heldSinceOf(value: unknown): HeldSince | undefined {
  const fields = objectOf(value);
  const earliest = wholeField(fields?.['earliest']);
  if (earliest === undefined) return undefined;
  return { earliest, ...present('latest', wholeField(fields?.['latest'])) };
}

function contenderOf(fields: Fields): Contender | undefined {
  const name = textField(fields['name']);
  const path = pathField(fields['path']);
  const kind = wordField(fields['kind'], kinds);
  const role = wordField(fields['role'], roles);
  const ownerSession = idField(fields['session']);
  const czxid = idField(fields['czxid']);
  const createdAt = wholeField(fields['createdAt']);
  const hasAll = kind !== undefined && role !== undefined && ownerSession !== undefined && czxid !== undefined;
  if (name === undefined || path === undefined || createdAt === undefined || !hasAll) return undefined;
  return {
    name,
    path,
    kind,
    role,
    ownerSession,
    czxid,
    createdAt,
    identifier: textField(fields['identifier'], longestIdentifier) ?? '',
    ...optionalFields(fields),
  };
}

function optionalFields(fields: Fields): Partial<Contender> {
  return {
    ...present('waitsFor', textField(fields['waitsFor'])),
    ...(fields['mayHold'] === true ? { mayHold: true } : {}),
    ...present('sequence', wholeField(fields['sequence'])),
    ...present('heldSince', heldSinceOf(fields['heldSince'])),
    ...present('details', textField(fields['details'], longestIdentifier)),
    ...present('leaseEndsAt', wholeField(fields['leaseEndsAt'])),
    ...(fields['isUnread'] === true ? { isUnread: true } : {}),
  };
}

function staleOf(fields: Fields): StaleFact | undefined {
  const path = pathField(fields['path']);
  const node = pathField(fields['node']);
  const czxid = idField(fields['czxid']);
  const confidence = wordField(fields['confidence'], ['certain', 'likely', 'possible'] as const);
  if (path === undefined || node === undefined || czxid === undefined || confidence === undefined) return undefined;
  const reasons = textsField(fields['reasons'], 20, longestIdentifier);
  return { path, ...present('lockName', textField(fields['lockName'])), node, czxid, confidence, reasons };
}

function stepOf(value: unknown): CycleStep | undefined {
  const fields = objectOf(value) ?? {};
  const path = pathField(fields['path']);
  const waiter = pathField(fields['waiter']);
  const blocker = pathField(fields['blocker']);
  if (path === undefined || waiter === undefined || blocker === undefined) return undefined;
  return {
    path,
    ...present('lockName', textField(fields['lockName'])),
    waiter,
    blocker,
    waiterSession: idField(fields['waiterSession']) ?? 0n,
    blockerSession: idField(fields['blockerSession']) ?? 0n,
  };
}

function deadlockOf(fields: Fields): DeadlockFact | undefined {
  const { steps } = fields;
  if (!Array.isArray(steps)) return undefined;
  const read = steps.slice(0, mostNames).flatMap(each => stepOf(each) ?? []);
  if (read.length < 2) return undefined;
  return { isLasting: fields['isLasting'] === true, ageMs: wholeField(fields['ageMs']) ?? 0, steps: read };
}

function explanationOf(fields: Fields): ExplanationFact | undefined {
  const report = readReport(fields);
  if (report === undefined) return undefined;
  return {
    ...present('path', pathField(fields['path'])),
    ...present('lockName', textField(fields['lockName'])),
    report,
  };
}
