import { contenderNodes, nameOfLock, serverTime, type ContenderNode, type LockNode } from '../clusters/clusterModel.ts';
import type { Logger } from '../../base/logger.ts';
import { spreadsheetRow } from '../../base/spreadsheetText.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { fileNamePart } from '../../base/fileNamePart.ts';
import { contenderOf } from './shownContender.ts';
import { RowGone } from '../clusters/clusterErrors.ts';
import { tableColumns, type CopyPart, type Intent, type NodeIdentity } from '../../protocol.ts';
import type { PanelLock } from './panelLock.ts';
import type { SeenCycle } from '../clusters/cycleAges.ts';
import { lockOfStep } from './cycleSteps.ts';
import { FoundOwners } from '../owners/foundOwners.ts';
import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import type { IntentOutcome, PanelWords } from './panelWords.ts';

/** What a panel does outside of its page. Each method rejects with the cause, or with CancelledError. */
export interface PanelActions {
  copy(text: string): Promise<void>;
  showNodeData(node: ContenderNode): Promise<void>;
  /** The command of the same name, which shows its own outcome. */
  forceDelete(node: ContenderNode): Promise<void>;
  /** The command of the same name, for the owner session of a node. */
  showSession(node: ContenderNode): Promise<void>;
  /** The command of the same name. */
  showQueue(lock: LockNode): Promise<void>;
  /** The command of the same name. */
  explain(lock: LockNode): Promise<void>;
  /** The command *Explain What Happened*, for a lock of a recording. */
  explainPast(lock: LockNode): Promise<void>;
  /** What the servers report of the owner sessions. */
  findOwners(lock: LockNode): Promise<OwnerFacts>;
  /** Asks for a file and writes it. @returns its path, safe for the screen */
  save(fileName: string, format: 'json' | 'csv', text: string): Promise<string>;
  /** Connects, resumes live updates and reads the lock again. */
  reconnect(lock: LockNode): Promise<void>;
}

interface PanelIntentsParts {
  shown(): PanelLock;
  actions: PanelActions;
  words: Pick<PanelWords, 'copied' | 'logEntry'>;
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
  private found = new FoundOwners();

  constructor(parts: PanelIntentsParts) {
    this.parts = parts;
  }

  /** What is known of owner sessions; nothing before *Find owners*. */
  get owners(): FoundOwners {
    return this.found;
  }

  /** Never rejects: a failure is an outcome. */
  async answer(intent: Intent): Promise<IntentOutcome> {
    try {
      return await this.carryOut(intent);
    } catch (error) {
      if (error instanceof CancelledError) return { kind: 'cancelled' };
      this.parts.logger.error(this.parts.words.logEntry(error));
      return { kind: 'failed', error };
    }
  }

  private async carryOut(intent: Intent): Promise<IntentOutcome> {
    const { actions } = this.parts;
    const shown = this.parts.shown();
    if ('czxid' in intent) return intent.kind === 'showLock' ? this.showLock(intent) : this.actOnNode(intent);
    switch (intent.kind) {
      case 'findOwners':
        return this.findOwners();
      case 'saveHistory':
        return this.save(intent.format);
      case 'reconnect':
        if (shown.reopen === undefined) await actions.reconnect(shown.lock);
        else shown.reopen();
        return { kind: 'done' };
      case 'explain':
        await actions.explain(shown.lock);
        return { kind: 'done' };
      case 'explainPast':
        await actions.explainPast(shown.lock);
        return { kind: 'done' };
      default:
        return shown.carryOut(intent);
    }
  }

  private async showLock(step: NodeIdentity): Promise<IntentOutcome> {
    const { actions } = this.parts;
    const shown = this.parts.shown();
    const lock = lockOfStep(this.parts.cycles(), shown.lock.cluster, step);
    if (lock === undefined) return { kind: 'cycle-gone' };
    await actions.showQueue(lock);
    return { kind: 'done' };
  }

  private async actOnNode(
    intent: Exclude<Extract<Intent, NodeIdentity>, { kind: 'showLock' }>,
  ): Promise<IntentOutcome> {
    const { actions } = this.parts;
    const shown = this.parts.shown();
    const contender = contenderOf(shown.queue.contenders, intent);
    const node = contenderNodes(shown.lock).find(row => row.contender === contender);
    if (node === undefined) return { kind: 'node-gone' };
    if (intent.kind === 'copy') {
      await actions.copy(this.copied(node, intent.part));
      return { kind: 'copied' };
    }
    if (shown.isRemoved) throw new RowGone();
    if (intent.kind === 'showSession') return this.showSession(node);
    await (intent.kind === 'showNodeData' ? actions.showNodeData(node) : actions.forceDelete(node));
    return { kind: 'done' };
  }

  private async showSession(node: ContenderNode): Promise<IntentOutcome> {
    if (node.contender.ownerSession === 0n) return { kind: 'no-session' };
    await this.parts.actions.showSession(node);
    return { kind: 'done' };
  }

  private copied({ lock, contender, position, ahead }: ContenderNode, part: CopyPart): string {
    if (part === 'path') return contender.path;
    const address = this.found.addresses.get(contender.ownerSession);
    const now = serverTime(lock, this.parts.now());
    const texts = this.parts.words.copied({ contender, position, address, ahead, now });
    return part === 'row' ? spreadsheetRow(tableColumns.map(column => texts[column])) : texts[part];
  }

  private async findOwners(): Promise<IntentOutcome> {
    const { actions } = this.parts;
    const shown = this.parts.shown();
    const asked = shown.queue.contenders.map(({ ownerSession }) => ownerSession);
    this.found = new FoundOwners(await actions.findOwners(shown.lock), asked);
    this.parts.onChange();
    const { contenders } = shown.queue;
    const known = contenders.filter(({ ownerSession }) => this.found.addresses.has(ownerSession)).length;
    return { kind: 'owners-found', known, contenders: contenders.length };
  }

  private async save(format: 'json' | 'csv'): Promise<IntentOutcome> {
    const { actions } = this.parts;
    const shown = this.parts.shown();
    const { path } = shown.lock;
    const lock = { cluster: shown.profile.name, path, name: nameOfLock(shown.lock) };
    const text = shown.historyText(format, lock, this.parts.now());
    const file = await actions.save(`${fileNamePart(lock.name)}-history.${format}`, format, text);
    return { kind: 'saved', file };
  }
}
