import * as vscode from 'vscode';
import { chooseCluster } from '../../app/assistant/toolCluster.ts';
import { blockerList, lockList, lockPicture } from '../../app/assistant/toolData.ts';
import { sessionPicture } from '../../app/assistant/sessionData.ts';
import { readInput, shortInput, type ToolRequest } from '../../app/assistant/toolInput.ts';
import { toolJson, type Json } from '../../app/assistant/toolJson.ts';
import { toolNames, type ToolKind } from '../../app/assistant/toolName.ts';
import type { ClusterRankings } from '../../app/blockers/rankedCluster.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { CycleSource } from '../../app/clusters/marks.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { ViewState } from '../../app/clusters/viewState.ts';
import { isSure, type RecordedTime } from '../../app/clusters/recordedTime.ts';
import { explainNow } from '../../app/diagnosis/explainNow.ts';
import { displayText } from '../../base/displayText.ts';
import { inTurns } from '../../base/interruptible.ts';
import type { Report } from '../../base/report.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { settingKeys } from '../platform/contributions.ts';
import { readSettings } from '../platform/settings.ts';
import { clusterWords } from '../words/findText.ts';
import { errorSentence, logText } from '../words/errorText.ts';
import { explanationReport } from '../words/explanationText.ts';
import { l10n } from '../words/language.ts';
import type { PastMoment } from '../words/pastMoment.ts';
import {
  actionTexts,
  blockerListReport,
  faultReport,
  lockListReport,
  movedReport,
  noClusterReport,
  noLockReport,
  offReport,
  plainReport,
  sessionReport,
  toolText,
  whichLockReport,
} from '../words/toolText.ts';
import type { CommandParts } from './clusterCommands.ts';
import { ownerQueryOptions } from './ownerQuery.ts';

/** What the tools read from. */
export interface ToolParts extends Pick<CommandParts, 'security' | 'logger'> {
  registry: Pick<ClusterRegistry, 'all'>;
  marks: CycleSource;
  /** Whether live updates are paused. */
  state: Pick<ViewState, 'paused'>;
  /** Those of the view Blockers. */
  rankings: () => Promise<ClusterRankings>;
}

/** One answer. `outcome`: for the log, in English. */
interface Answer {
  outcome: string;
  report: Report;
  json?: Json;
}

/** A reading that a moving recording outruns is tried so often. */
const mostReadings = 3;

function refusal(outcome: string, report: Report): Answer {
  return { outcome: `refused: ${outcome}`, report };
}

/** The tools for language models. They read what the person has connected or opened, and change nothing; nothing is thrown. */
export class ToolAnswers {
  private readonly parts: ToolParts;

  constructor(parts: ToolParts) {
    this.parts = parts;
  }

  /** What the person is asked before a call. Nothing is read for it. @param input anything */
  prepare(kind: ToolKind, input: unknown): vscode.PreparedToolInvocation {
    const { title, what, doing } = actionTexts(kind);
    const message = new vscode.MarkdownString();
    const lines = [
      this.scopeText(kind, input),
      what,
      l10n.t('The answer goes to the language model. Nothing is changed.'),
    ];
    const fields = shortInput(kind, input).filter(([field]) => field !== 'cluster');
    lines.push(...fields.map(([field, value]) => `${field}: ${displayText(value)}`));
    for (const line of lines) message.appendText(line).appendMarkdown('\n\n');
    return { invocationMessage: doing, confirmationMessages: { title, message } };
  }

  /** Answers one call. @param input anything */
  async invoke(
    kind: ToolKind,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const abort = new AbortController();
    if (token.isCancellationRequested) abort.abort();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      const { outcome, report, json } = await this.answer(kind, input, abort.signal);
      this.log(kind, input, outcome);
      const texts = [toolText(report), ...(json === undefined ? [] : [toolJson(json)])];
      return new vscode.LanguageModelToolResult(texts.map(text => new vscode.LanguageModelTextPart(text)));
    } finally {
      subscription.dispose();
    }
  }

  private log(kind: ToolKind, input: unknown, outcome: string): void {
    const fields = shortInput(kind, input).map(([field, value]) => `${field}=${JSON.stringify(value)}`);
    this.parts.logger.info(`Language model tool ${toolNames[kind]}(${fields.join(', ')}): ${outcome}`);
  }

  private scopeText(kind: ToolKind, input: unknown): string {
    const { isEnabled, production } = readSettings().tools;
    const request = readInput(kind, input);
    if (!isEnabled || Array.isArray(request)) return l10n.t('Nothing is read: the call is refused.');
    const choice = chooseCluster(this.parts.registry.all, request.cluster, production);
    if (choice.kind !== 'chosen') return l10n.t('Nothing is read: the call is refused.');
    return l10n.t('Cluster: {0}', clusterWords(choice.cluster.node.profile));
  }

  private async answer(kind: ToolKind, input: unknown, signal: AbortSignal): Promise<Answer> {
    try {
      const { isEnabled, production } = readSettings().tools;
      if (!isEnabled) return refusal('switched off', offReport(settingKeys.toolsEnabled));
      const request = readInput(kind, input);
      if (Array.isArray(request)) return refusal(request.map(fault => fault.kind).join(', '), faultReport(request));
      const choice = chooseCluster(this.parts.registry.all, request.cluster, production);
      if (choice.kind !== 'chosen')
        return refusal(`cluster ${choice.kind}`, noClusterReport(choice, settingKeys.toolsInProduction));
      if (signal.aborted) throw new CancelledError('The tool');
      return await this.read(request, choice.cluster, signal);
    } catch (error) {
      // A tool that throws looks like one that is broken.
      if (error instanceof CancelledError) return { outcome: 'cancelled', report: plainReport(l10n.t('Cancelled.')) };
      return { outcome: `failed: ${logText(error)}`, report: plainReport(displayText(errorSentence(error), 1_000)) };
    }
  }

  private async read(request: ToolRequest, browser: ClusterBrowser, signal: AbortSignal): Promise<Answer> {
    const { node } = browser;
    const { paused } = this.parts.state;
    switch (request.kind) {
      case 'listLocks': {
        const list = lockList(node, request, Date.now());
        return { outcome: answered(node), report: lockListReport(list, paused), json: list.json };
      }
      case 'explainLock':
        return this.explain(request, browser, signal);
      case 'findBlockers': {
        const rankings = await this.parts.rankings();
        const list = await rankings.of(node, ranking => blockerList(ranking, request.limit, Date.now()));
        if (signal.aborted) throw new CancelledError('The tool');
        return { outcome: answered(node), report: blockerListReport(list, paused), json: list.json };
      }
      case 'showSession': {
        const picture = await inTurns(sessionPicture(node, request.session, Date.now()));
        return { outcome: answered(node), report: sessionReport(picture, paused), json: picture.json };
      }
    }
  }

  /** The queue of the lock is read; servers are asked for owners, not for watches, which may be expensive. */
  private async explain(
    { path, lockName }: ToolRequest & { kind: 'explainLock' },
    { node, connection: { client } }: ClusterBrowser,
    signal: AbortSignal,
  ): Promise<Answer> {
    const locks = node.locks.at(path).filter(lock => lockName === undefined || lock.lockName === lockName);
    const [lock] = locks;
    if (lock === undefined || client === undefined) return refusal('no such lock', noLockReport(node, path));
    if (locks.length > 1) return refusal('several locks', whichLockReport(locks));
    const { time } = node;
    const ownerQuery = ownerQueryOptions(this.parts);
    for (let reading = 0; reading < mostReadings; reading++) {
      const past = momentOf(time);
      const options = { ownerQuery, marks: this.parts.marks, asksWatches: false, signal };
      const explanation = await explainNow(client, lock, options);
      if (time?.moment.zxid !== past?.moment.zxid) continue;
      const report = explanationReport(explanation, past, node.usual?.usualOf(lock));
      return { outcome: answered(node), report, json: lockPicture(node, explanation) };
    }
    return refusal('the recording moves', movedReport());
  }
}

/** The moment that a recording shows; it is not paused. */
function momentOf(time: RecordedTime | undefined): PastMoment | undefined {
  if (time === undefined) return undefined;
  const { moment, recording } = time;
  return { moment, isSure: isSure(recording, moment) };
}

function answered({ profile }: ClusterNode): string {
  return `answered, ${JSON.stringify(profile.name)}`;
}
