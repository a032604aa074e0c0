import * as vscode from 'vscode';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { liveCluster, type LiveParts } from '../../app/scenarios/liveCluster.ts';
import { placeOf, type Where } from '../../app/scenarios/scenarioPlace.ts';
import { firstError } from '../../scenario/readScenario.ts';
import { sandboxWord } from '../../scenario/scenario.ts';
import { runScenario, type RunResult } from '../../scenario/runScenario.ts';
import { onSandbox, type ScenarioCluster } from '../../scenario/scenarioCluster.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { NothingToDo, type ErrorReporter } from '../platform/errorReporting.ts';
import { errorSentence } from '../words/errorText.ts';
import { l10n } from '../words/language.ts';
import { problemText } from '../words/scenarioProblemText.ts';
import { leftText } from '../words/scenarioRunText.ts';
import { ambiguousText, leftOutText, placeText, unknownClusterText } from '../words/scenarioTestText.ts';
import { FileReport } from './fileReport.ts';
import { permitLive, type LiveRunParts } from './liveRun.ts';
import { isScenario, type ScenarioFile, type ScenarioItems } from './scenarioItems.ts';

/** What runs of scenarios work with. */
export interface ScenarioRunParts extends LiveParts {
  registry: Pick<ClusterRegistry, 'get' | 'all'>;
  reporter: Pick<ErrorReporter, 'confirm' | 'report' | 'warn'>;
  targets: LiveRunParts['targets'] & {
    /** Lets the person pick one of those that fit. @throws NoClusterError, NothingToDo, CancelledError */
    browser(
      argument: undefined,
      title: string,
      wanted: { fits: (browser: ClusterBrowser) => boolean; none: string },
    ): Promise<ClusterBrowser>;
  };
  controller: vscode.TestController;
  /** For runs that no profile began. */
  profile: vscode.TestRunProfile;
}

/** Files that are played one after the other at one place. `undefined`: each on a sandbox of its own. */
type Groups = Map<ClusterBrowser | undefined, ScenarioFile[]>;

/** One run, and what its files do. */
interface Run {
  readonly run: vscode.TestRun;
  readonly signal: AbortSignal;
  /** What could not be removed, one text for each file. */
  readonly left: string[];
}

/** Plays scenarios for the Test Explorer, for commands, and again when a file is saved. */
export class ScenarioRuns {
  private readonly items: ScenarioItems;
  private readonly parts: ScenarioRunParts;

  constructor(items: ScenarioItems, parts: ScenarioRunParts) {
    this.items = items;
    this.parts = parts;
  }

  /** A run that a profile has begun; a continuous one waits for files to be saved. Never rejects. */
  async run(request: vscode.TestRunRequest, where: Where, token: vscode.CancellationToken): Promise<void> {
    if (request.include === undefined) await this.items.discover();
    if (request.continuous === true) this.follow(request, token);
    else await this.play(request, where);
  }

  /** Plays the file of a document: of the one in front, if no other is meant. @throws NothingToDo */
  async runDocument(uri: vscode.Uri | undefined, where: Where): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const wanted = uri ?? (document !== undefined && isScenario(document) ? document.uri : undefined);
    const file = wanted && (await this.items.update(wanted));
    if (file === undefined) throw new NothingToDo(l10n.t('Open a file with a scenario (*.zklock) first.'));
    await this.play(new vscode.TestRunRequest([file.item], undefined, this.parts.profile), where);
  }

  /** Plays what is saved, and no other file; what still plays then is stopped. Never on a cluster that others use. */
  private follow({ include, exclude, profile }: vscode.TestRunRequest, token: vscode.CancellationToken): void {
    const playing = new Map<string, AbortController>();
    const saving = vscode.workspace.onDidSaveTextDocument(async document => {
      const file = isScenario(document) ? await this.items.update(document.uri) : undefined;
      const isIn = (item: vscode.TestItem): boolean => file !== undefined && this.items.of(item) === file;
      if (file === undefined || exclude?.some(isIn) === true || include?.some(isIn) === false) return;
      playing.get(file.item.id)?.abort();
      const abort = new AbortController();
      playing.set(file.item.id, abort);
      await this.play(new vscode.TestRunRequest([file.item], undefined, profile, true), 'sandbox only', abort.signal);
    });
    token.onCancellationRequested(() => {
      saving.dispose();
      for (const abort of playing.values()) abort.abort();
    });
  }

  private async play(request: vscode.TestRunRequest, where: Where, outer?: AbortSignal): Promise<void> {
    const run = this.parts.controller.createTestRun(request);
    const abort = new AbortController();
    const cancelling = run.token.onCancellationRequested(() => abort.abort());
    const signal = outer === undefined ? abort.signal : AbortSignal.any([abort.signal, outer]);
    const left: string[] = [];
    try {
      const files = await this.filesOf(request);
      for (const { item } of files) run.enqueued(item);
      const playable = this.refuseBroken(run, files);
      if (this.isTrusted(run, playable)) await this.playAll({ run, signal, left }, playable, where);
    } catch (error) {
      this.parts.reporter.report(error);
    } finally {
      cancelling.dispose();
      run.end();
      if (left.length > 0) this.parts.reporter.warn(left.join('\n'));
    }
  }

  /** Each file once, as its text is now. */
  private async filesOf({ include, exclude }: vscode.TestRunRequest): Promise<ScenarioFile[]> {
    const wanted = include === undefined ? this.items.all : include.map(item => this.items.of(item));
    const left = new Set(exclude?.map(item => this.items.of(item)?.item.id));
    const uris = new Map(wanted.flatMap(file => (file === undefined ? [] : [[file.item.id, file.uri]])));
    const files = await Promise.all([...uris].filter(([id]) => !left.has(id)).map(([, uri]) => this.items.update(uri)));
    return files.filter(file => file !== undefined);
  }

  /** @returns the others */
  private refuseBroken(run: vscode.TestRun, files: readonly ScenarioFile[]): ScenarioFile[] {
    return files.filter(file => {
      const problem = firstError(file.read);
      if (problem !== undefined) new FileReport(run, file).refuse(problemText(problem), problem.span);
      else if (typeof file.item.error === 'string') new FileReport(run, file).refuse(file.item.error);
      return file.item.error === undefined;
    });
  }

  /** The sandbox opens a port, too. */
  private isTrusted(run: vscode.TestRun, files: readonly ScenarioFile[]): boolean {
    if (vscode.workspace.isTrusted) return true;
    const why = l10n.t('Trust this workspace first: no connection is made in restricted mode.');
    for (const file of files) new FileReport(run, file).refuse(why);
    return false;
  }

  private async playAll(run: Run, files: readonly ScenarioFile[], where: Where): Promise<void> {
    const groups = await this.group(run, files, where);
    for (const [browser, each] of groups) {
      if (browser === undefined) for (const file of each) await this.playOne(run, file, play => onSandbox(play));
      else await this.playLive(run, browser, each);
    }
  }

  private async group({ run }: Run, files: readonly ScenarioFile[], where: Where): Promise<Groups> {
    const groups: Groups = new Map();
    const add = (browser: ClusterBrowser | undefined, file: ScenarioFile): void =>
      void groups.set(browser, [...(groups.get(browser) ?? []), file]);
    const asked: ScenarioFile[] = [];
    for (const file of files) {
      const place = placeOf(file.read.scenario, where);
      if (place.kind === 'sandbox') add(undefined, file);
      else if (place.kind === 'ask') asked.push(file);
      else if (place.kind === 'left out') new FileReport(run, file).skip(leftOutText(place.name));
      else this.addNamed(run, file, place.name, add);
    }
    if (asked.length > 0) {
      const browser = await this.askWhere().catch((error: unknown) => {
        for (const file of asked) new FileReport(run, file).skip(l10n.t('Not run: no cluster was chosen.'));
        this.parts.reporter.report(error);
      });
      if (browser !== undefined) for (const file of asked) add(browser, file);
    }
    return groups;
  }

  private addNamed(
    run: vscode.TestRun,
    file: ScenarioFile,
    name: string,
    add: (browser: ClusterBrowser, file: ScenarioFile) => void,
  ): void {
    const live = this.parts.registry.all.filter(({ node }) => node.profile.isRecording !== true);
    const [browser, ...others] = live.filter(({ node }) => node.profile.name === name);
    if (browser !== undefined && others.length === 0) {
      add(browser, file);
      return;
    }
    const names = [sandboxWord, ...live.map(({ node }) => node.profile.name)];
    const why = browser === undefined ? unknownClusterText(name, names) : ambiguousText(name);
    new FileReport(run, file).refuse(why, file.read.scenario.cluster?.span);
  }

  private askWhere(): Promise<ClusterBrowser> {
    return this.parts.targets.browser(undefined, l10n.t('Run Scenarios'), {
      fits: ({ node }) => node.profile.readOnly !== true,
      none: l10n.t('Every cluster is marked read-only: no scenarios are run there.'),
    });
  }

  private async playLive(run: Run, browser: ClusterBrowser, files: readonly ScenarioFile[]): Promise<void> {
    const reports = files.map(file => new FileReport(run.run, file));
    let requireSame: () => void;
    try {
      requireSame = await permitLive(this.parts, browser, files.map(({ read }) => read)); // prettier-ignore
    } catch (error) {
      const isDeclined = error instanceof CancelledError;
      for (const report of reports) {
        if (isDeclined) report.skip(l10n.t('Not run: it was not confirmed.'));
        else report.refuse(errorSentence(error));
      }
      return;
    }
    for (const file of files) {
      await this.playOne(run, file, play => {
        requireSame();
        return play(liveCluster(browser.node, this.parts), browser);
      });
    }
  }

  private async playOne(
    { run, signal, left }: Run,
    file: ScenarioFile,
    at: (play: (cluster: ScenarioCluster, browser?: ClusterBrowser) => Promise<RunResult>) => Promise<RunResult>,
  ): Promise<void> {
    const report = new FileReport(run, file);
    const { scenario, paths } = file.read;
    if (signal.aborted) {
      report.skip(l10n.t('Cancelled.'));
      return;
    }
    try {
      const result = await at((cluster, browser) => {
        report.begin(placeText(browser?.node.profile));
        return runScenario(scenario, paths, cluster, { signal, onStep: report.onStep });
      });
      report.end(result);
      if (result.left.length > 0) left.push(`${file.item.label} · ${leftText(result.left)}`);
    } catch (error) {
      report.refuse(errorSentence(error));
    }
  }
}
