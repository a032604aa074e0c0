import { setTimeout as pause } from 'node:timers/promises';
import { Deadline, monotonicNow } from '../base/deadline.ts';
import { unlessAborted } from '../base/unlessAborted.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import type { PathsOf } from './checkScenario.ts';
import { isTrue } from './claims.ts';
import type { HerdResult } from './herd.ts';
import type { Left } from './madeDirectories.ts';
import { type BlockStep, type Claim, type ExpectStep, type Scenario, type Step } from './scenario.ts';
import { sightText } from './sightText.ts';
import { Stage } from './stage.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';

/** How long claims have to become true where they do not say it, ms. */
export const settleMs = 2_000;

/** How often they are looked at meanwhile, ms. */
const lookEveryMs = 20;

/** Why a run has ended before its last step. */
export type Failure =
  /** `seen`: the queues at that moment, in the words of the language (`sightText`). */
  | { readonly kind: 'not so'; readonly claims: readonly Claim[]; readonly seen: string; readonly step: ExpectStep }
  | { readonly kind: 'failed'; readonly step: Step; readonly error: unknown }
  | { readonly kind: 'limit'; readonly step: Step | undefined; readonly limitMs: number }
  | { readonly kind: 'cancelled' };

/** One step that has ended, or a claim that was looked at. */
export interface StepEnd {
  readonly step: Step;
  /** Since the run began, ms. */
  readonly startedMs: number;
  readonly tookMs: number;
  readonly failure?: Failure;
  readonly herd?: HerdResult;
}

export interface RunResult {
  /** Absent: all claims were true. */
  readonly failure?: Failure;
  readonly steps: readonly StepEnd[];
  /** Without the clean-up, ms. */
  readonly tookMs: number;
  /** What could not be removed. */
  readonly left: readonly Left[];
}

export interface RunOptions {
  /** Cancels the run; the clean-up goes on. */
  readonly signal?: AbortSignal;
  /** How long claims have to become true where they do not say it, ms. Default `settleMs`. */
  readonly settleMs?: number;
  onStep?: (end: StepEnd) => void;
}

/**
 * Plays a scenario. It stops at the first claim that does not become true, at the limit of its time, and when it is cancelled; then
 * everything that it has made is removed, whatever happened.
 *
 * @param paths by `checkScenario`, which must have found no error
 * @throws what `connect` throws when the first session cannot be opened, and ZooKeeperError, NotConnectedError or ReplyLostError when
 *   the paths cannot be looked at before the first step; nothing has been made then
 */
export async function runScenario(
  scenario: Scenario,
  paths: PathsOf,
  cluster: ScenarioCluster,
  options: RunOptions = {},
): Promise<RunResult> {
  const run = new Run(scenario, paths, cluster, options);
  return run.play();
}

class Run {
  private readonly scenario: Scenario;
  private readonly options: RunOptions;
  private readonly stage: Stage;
  private readonly steps: StepEnd[] = [];
  private readonly startedAt = monotonicNow();
  /** Aborts at the limit and at a cancel. */
  private readonly over = new AbortController();

  constructor(scenario: Scenario, paths: PathsOf, cluster: ScenarioCluster, options: RunOptions) {
    this.scenario = scenario;
    this.options = options;
    this.stage = new Stage(paths, cluster);
  }

  async play(): Promise<RunResult> {
    const { signal } = this.options;
    const end = (): void => this.over.abort();
    const timer = setTimeout(end, this.scenario.limitMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
    try {
      return await this.playToEnd();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  private async playToEnd(): Promise<RunResult> {
    let failure: Failure | undefined;
    let tookMs = 0;
    let left: readonly Left[] = [];
    try {
      await this.stage.open(this.over.signal);
      failure = await this.playAll(this.scenario.steps);
    } catch (error) {
      // Only the limit and the cancel end the opening without an error of the cluster.
      if (!this.over.signal.aborted) throw error;
      failure = this.endOf(undefined);
    } finally {
      tookMs = monotonicNow() - this.startedAt;
      left = await this.stage.cleanUp();
    }
    return { steps: this.steps, tookMs, left, ...(failure === undefined ? {} : { failure }) };
  }

  private async playAll(steps: readonly Step[]): Promise<Failure | undefined> {
    for (const step of steps) {
      const failure = await this.playOne(step);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  private async playOne(step: Step): Promise<Failure | undefined> {
    if (step.kind === 'parallel' && 'steps' in step) {
      const failures = await Promise.all(step.steps.map(one => this.playOne(one)));
      return failures.find(failure => failure !== undefined);
    }
    if ('steps' in step) {
      for (let time = 0; time < step.times; time++) {
        const failure = await this.playAll(step.steps);
        if (failure !== undefined) return failure;
      }
      return undefined;
    }
    return this.playStep(step);
  }

  private async playStep(step: Exclude<Step, BlockStep>): Promise<Failure | undefined> {
    const began = monotonicNow();
    const failure = this.over.signal.aborted ? this.endOf(step) : await this.try(step);
    const herd = step.kind === 'herd' ? this.stage.herd : undefined;
    const end: StepEnd = {
      step,
      startedMs: began - this.startedAt,
      tookMs: monotonicNow() - began,
      ...(failure === undefined ? {} : { failure }),
      ...(herd === undefined ? {} : { herd }),
    };
    this.steps.push(end);
    this.options.onStep?.(end);
    return failure;
  }

  private async try(step: Exclude<Step, BlockStep>): Promise<Failure | undefined> {
    const { signal } = this.over;
    try {
      const work = step.kind === 'expect' ? this.expect(step, signal) : this.stage.play(step, signal);
      return await unlessAborted(work, signal, () => new CancelledError('Playing'));
    } catch (error) {
      return signal.aborted ? this.endOf(step) : { kind: 'failed', step, error };
    }
  }

  private async expect(step: ExpectStep, signal: AbortSignal): Promise<Failure | undefined> {
    const { settleMs: usualMs = settleMs } = this.options;
    const deadline = new Deadline(step.withinMs ?? usualMs + this.stage.timeLimitOf(step.claims));
    const all = step.claims.map(claim => ({ claim, paths: this.stage.pathsOf(claim) }));
    for (;;) {
      const lookedAt = monotonicNow();
      const sight = await this.stage.look(step.claims, signal);
      const untrue = all.filter(({ claim, paths }) => !isTrue(claim, paths, sight));
      if (untrue.length === 0) {
        this.stage.beginCount();
        return undefined;
      }
      if (deadline.isOver) {
        return { kind: 'not so', claims: untrue.map(({ claim }) => claim), seen: sightText(untrue, sight), step };
      }
      // A long queue is not read all the time.
      const pauseMs = Math.max(lookEveryMs, monotonicNow() - lookedAt);
      await pause(Math.min(pauseMs, deadline.remainingMs), undefined, { signal });
    }
  }

  private endOf(step: Step | undefined): Failure {
    if (this.options.signal?.aborted === true) return { kind: 'cancelled' };
    return { kind: 'limit', step, limitMs: this.scenario.limitMs };
  }
}
