import { l10n } from 'vscode';
import {
  contenderNodes,
  nameOfLock,
  serverTime,
  type ContenderNode,
  type LockNode,
} from '../../app/clusters/clusterModel.ts';
import type { Logger } from '../../base/logger.ts';
import { shownName } from '../../base/shownName.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { RowGone } from '../../app/clusters/clusterErrors.ts';
import { historyCsv, historyJson } from '../../history/historyFile.ts';
import type { HistoryRecorder } from '../../history/historyRecorder.ts';
import {
  tableColumns,
  timelineLanes,
  type CopyPart,
  type HostMessage,
  type Intent,
  type NodeIdentity,
} from '../../protocol.ts';
import { errorSentence, logText } from '../words/errorText.ts';
import type { FollowedLock } from '../../app/clusters/followedLock.ts';
import type { SeenCycle } from '../../app/clusters/cycleAges.ts';
import { lockOfStep } from './panelCycles.ts';
import { copiedTexts, type Addresses } from './lockTable.ts';

type Outcome = Omit<Extract<HostMessage, { type: 'outcome' }>, 'type'>;

/** What a panel does outside of its page. Each method rejects with the cause, or with CancelledError. */
export interface PanelActions {
  copy(text: string): Promise<void>;
  showNodeData(node: ContenderNode): Promise<void>;
  /** The command of the same name, which shows its own outcome. */
  forceDelete(node: ContenderNode): Promise<void>;
  /** The command of the same name. */
  showQueue(lock: LockNode): Promise<void>;
  /** The command of the same name. */
  explain(lock: LockNode): Promise<void>;
  /** Addresses of the owner sessions that the servers report. */
  findOwners(lock: LockNode): Promise<Addresses>;
  /** Asks for a file and writes it. @returns its path, safe for the screen */
  save(fileName: string, format: 'json' | 'csv', text: string): Promise<string>;
  /** Connects, resumes live updates and reads the lock again. */
  reconnect(lock: LockNode): Promise<void>;
}

interface PanelIntentsParts {
  followed: FollowedLock;
  history: HistoryRecorder;
  actions: PanelActions;
  /** The cycles that the page shows. */
  cycles(): readonly SeenCycle[];
  /** Called after a change on screen that is not a change of the lock. */
  onChange(): void;
  /** Epoch ms. */
  now(): number;
  logger: Logger;
}

/** Carries out the intents of the page and returns their outcomes. */
export class PanelIntents {
  private readonly parts: PanelIntentsParts;
  private found: Addresses = new Map();

  constructor(parts: PanelIntentsParts) {
    this.parts = parts;
  }

  /** Addresses of owner sessions; empty before *Find owners*. */
  get addresses(): Addresses {
    return this.found;
  }

  /** Never rejects: a failure is an outcome. */
  async answer(intent: Intent): Promise<Outcome> {
    try {
      return await this.carryOut(intent);
    } catch (error) {
      if (error instanceof CancelledError) return { outcome: 'cancelled' };
      this.parts.logger.error(logText(error));
      return { outcome: 'failed', text: errorSentence(error) };
    }
  }

  private async carryOut(intent: Intent): Promise<Outcome> {
    const { actions, followed, history } = this.parts;
    if ('czxid' in intent) return intent.kind === 'showLock' ? this.showLock(intent) : this.actOnNode(intent);
    switch (intent.kind) {
      case 'findOwners':
        return this.findOwners();
      case 'saveHistory':
        return this.save(intent.format);
      case 'pauseHistory':
        history.pause(intent.paused);
        this.parts.onChange();
        break;
      case 'clearHistory':
        history.clear();
        this.parts.onChange();
        break;
      case 'reconnect':
        await actions.reconnect(followed.lock);
        break;
      case 'explain':
        await actions.explain(followed.lock);
    }
    return { outcome: 'done' };
  }

  private async showLock(step: NodeIdentity): Promise<Outcome> {
    const { actions, followed } = this.parts;
    const lock = lockOfStep(this.parts.cycles(), followed.lock.cluster, step);
    if (lock === undefined) return { outcome: 'failed', text: l10n.t('This lock is no longer part of a deadlock.') };
    await actions.showQueue(lock);
    return { outcome: 'done' };
  }

  private async actOnNode(intent: Exclude<Extract<Intent, NodeIdentity>, { kind: 'showLock' }>): Promise<Outcome> {
    const { actions, followed } = this.parts;
    const contender = contenderOf(followed.queue.contenders, intent);
    const node = contenderNodes(followed.lock).find(row => row.contender === contender);
    if (node === undefined) return { outcome: 'failed', text: l10n.t('This node is no longer in the queue.') };
    if (intent.kind === 'copy') {
      await actions.copy(this.copied(node, intent.part));
      return { outcome: 'done', text: l10n.t('Copied.') };
    }
    if (followed.isRemoved) throw new RowGone();
    await (intent.kind === 'showNodeData' ? actions.showNodeData(node) : actions.forceDelete(node));
    return { outcome: 'done' };
  }

  private copied({ lock, contender, position }: ContenderNode, part: CopyPart): string {
    if (part === 'path') return contender.path;
    const address = this.found.get(contender.ownerSession);
    const now = serverTime(lock, this.parts.now());
    const texts = copiedTexts({ contender, position, address, now });
    return part === 'row' ? tableColumns.map(column => texts[column]).join('\t') : texts[part];
  }

  private async findOwners(): Promise<Outcome> {
    const { actions, followed } = this.parts;
    this.found = await actions.findOwners(followed.lock);
    this.parts.onChange();
    const { contenders } = followed.queue;
    const known = contenders.filter(({ ownerSession }) => this.found.has(ownerSession)).length;
    return known === 0 && contenders.length > 0
      ? {
          outcome: 'failed',
          text: l10n.t('No server reported the address of an owner. Explain Lock lists the servers that were asked.'),
        }
      : { outcome: 'done', text: l10n.t('Contenders with a known owner: {0} of {1}.', known, contenders.length) };
  }

  private async save(format: 'json' | 'csv'): Promise<Outcome> {
    const { actions, followed, history } = this.parts;
    const { path } = followed.lock;
    const lock = { cluster: followed.profile.name, path, name: nameOfLock(followed.lock) };
    const text =
      format === 'csv'
        ? historyCsv(history.events)
        : historyJson(history.events, history.history(timelineLanes), lock, this.parts.now());
    const file = await actions.save(`${fileNamePart(lock.name)}-history.${format}`, format, text);
    return { outcome: 'done', text: l10n.t('The history was saved to {0}.', file) };
  }
}

/** The contender that the page shows under this identity, if that very node is still in the queue. */
export function contenderOf(contenders: readonly Contender[], { name, czxid }: NodeIdentity): Contender | undefined {
  const created = BigInt(czxid);
  return contenders.find(contender => contender.czxid === created && shownName(contender.name) === name);
}

/** A foreign name as part of a file's name or a tab's title: ASCII letters, digits and a few safe signs, at most 60. */
export function fileNamePart(foreign: string): string {
  const plain = foreign.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^[._-]+|[._-]+$/g, '');
  return plain === '' ? 'lock' : plain.slice(0, 60);
}
