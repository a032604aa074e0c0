import { l10n } from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import { placeOf } from '../../locks/placeOf.ts';
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
import { errorSentence } from '../words/errorText.ts';
import type { ContenderNode, LockNode } from '../../app/clusters/clusterModel.ts';
import { copiedTexts } from './cellTexts.ts';
import type { FollowedLock } from './followedLock.ts';
import { fileNamePart, lockName } from './lockName.ts';
import { contenderOf } from './contenderOf.ts';

type Answer = Omit<Extract<HostMessage, { type: 'outcome' }>, 'type' | 'request'>;

/** What a panel does outside of itself. Each rejects with the cause, or with CancelledError. */
export interface PanelActions {
  copy(text: string): Promise<void>;
  showNodeData(node: ContenderNode): Promise<void>;
  /** The command of the same name; it tells its outcome itself. */
  forceDelete(node: ContenderNode): Promise<void>;
  /** The command of the same name. */
  explain(lock: LockNode): Promise<void>;
  /** Addresses of the owner sessions, as far as the servers tell. */
  findOwners(lock: LockNode): Promise<ReadonlyMap<bigint, string>>;
  /** Asks where, and writes. @returns the file, ready for the screen */
  save(fileName: string, format: 'json' | 'csv', text: string): Promise<string>;
  /** Connects, resumes live updates and reads the lock again, whichever is missing. */
  reconnect(lock: LockNode): Promise<void>;
}

export interface IntentDeskParts {
  followed: FollowedLock;
  history: HistoryRecorder;
  actions: PanelActions;
  /** Something that is shown changed, other than the lock. */
  onChange(): void;
  /** Epoch ms. */
  now(): number;
  logger: Logger;
}

/** Does what the person asked for on the page, and says what came of it. Nodes are known by what the page was told of them. */
export class IntentDesk {
  private readonly parts: IntentDeskParts;
  private found: ReadonlyMap<bigint, string> = new Map();

  constructor(parts: IntentDeskParts) {
    this.parts = parts;
  }

  /** Addresses of owner sessions, once the person has asked for them. */
  get addresses(): ReadonlyMap<bigint, string> {
    return this.found;
  }

  /** Never rejects: a failure is the answer. */
  async answer(intent: Intent): Promise<Answer> {
    try {
      return await this.carryOut(intent);
    } catch (error) {
      if (error instanceof CancelledError) return { outcome: 'cancelled' };
      this.parts.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return { outcome: 'failed', text: errorSentence(error) };
    }
  }

  private async carryOut(intent: Intent): Promise<Answer> {
    const { actions, followed } = this.parts;
    switch (intent.kind) {
      case 'copy':
      case 'showNodeData':
      case 'forceDelete':
        return this.aboutNode(intent);
      case 'findOwners':
        return this.findOwners();
      case 'pauseHistory':
      case 'clearHistory':
        return this.changeHistory(intent);
      case 'saveHistory':
        return this.save(intent.format);
      case 'reconnect':
        await actions.reconnect(followed.lock);
        return { outcome: 'done' };
      case 'explain':
        await actions.explain(followed.lock);
        return { outcome: 'done' };
    }
  }

  private async aboutNode(intent: Extract<Intent, { kind: 'copy' | 'showNodeData' | 'forceDelete' }>): Promise<Answer> {
    const { actions } = this.parts;
    const node = this.rowOf(intent);
    if (node === undefined) return { outcome: 'failed', text: l10n.t('This node is no longer in the queue.') };
    if (intent.kind === 'copy') {
      await actions.copy(this.copied(node, intent.part));
      return { outcome: 'done', text: l10n.t('Copied.') };
    }
    if (this.parts.followed.isRemoved) throw new RowGone();
    await (intent.kind === 'showNodeData' ? actions.showNodeData(node) : actions.forceDelete(node));
    return { outcome: 'done' };
  }

  private rowOf(identity: NodeIdentity): ContenderNode | undefined {
    const { lock, queue } = this.parts.followed;
    const { contenders } = queue;
    const contender = contenderOf(contenders, identity);
    if (contender === undefined) return undefined;
    const position = placeOf(contender, contenders.indexOf(contender));
    return { type: 'contender', lock, contender, position, ahead: aheadOf(contender, contenders) };
  }

  private copied({ contender, position }: ContenderNode, part: CopyPart): string {
    if (part === 'path') return contender.path;
    const address = this.found.get(contender.ownerSession);
    const texts = copiedTexts({ contender, position, address, now: this.parts.now() });
    return part === 'row' ? tableColumns.map(column => texts[column]).join('\t') : texts[part];
  }

  private async findOwners(): Promise<Answer> {
    const { actions, followed } = this.parts;
    this.found = await actions.findOwners(followed.lock);
    this.parts.onChange();
    const { contenders } = followed.queue;
    const known = contenders.filter(({ ownerSession }) => this.found.has(ownerSession)).length;
    return known === 0 && contenders.length > 0
      ? {
          outcome: 'failed',
          text: l10n.t('No server told the address of an owner. Explain Lock says which were asked.'),
        }
      : { outcome: 'done', text: l10n.t('Contenders with a known owner: {0} of {1}.', known, contenders.length) };
  }

  private changeHistory(intent: Extract<Intent, { kind: 'pauseHistory' | 'clearHistory' }>): Answer {
    const { history } = this.parts;
    if (intent.kind === 'pauseHistory') history.pause(intent.paused);
    else history.clear();
    this.parts.onChange();
    return { outcome: 'done' };
  }

  private async save(format: 'json' | 'csv'): Promise<Answer> {
    const { actions, followed, history } = this.parts;
    const { lock, profile } = followed;
    const text =
      format === 'csv'
        ? historyCsv(history.events)
        : historyJson(
            history.events,
            history.history(timelineLanes),
            { cluster: profile.name, path: lock.path, name: lockName(lock) },
            this.parts.now(),
          );
    const file = await actions.save(`${fileNamePart(lockName(lock))}-history.${format}`, format, text);
    return { outcome: 'done', text: l10n.t('The history was saved to {0}.', file) };
  }
}

function aheadOf(contender: Contender, contenders: readonly Contender[]): ContenderNode['ahead'] {
  const at = contenders.findIndex(({ name }) => name === contender.waitsFor);
  const ahead = contenders[at];
  return ahead === undefined ? undefined : { contender: ahead, position: placeOf(ahead, at) };
}
