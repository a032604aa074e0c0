import type { Logger } from '../../base/logger.ts';
import { ApiRefusal } from './apiRefusal.ts';

export interface AccessParts {
  /** VS Code's state of this installation. */
  memory: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  /** Id and name of an installed extension, as its manifest has them. */
  find(extensionId: string): { id: string; name: string } | undefined;
  /** Asks the person. @returns whether the extension may take test locks */
  ask(id: string, name: string): Promise<boolean>;
  /** Called whenever the list may have changed, and at first. */
  onAllowed(isAny: boolean): void;
  logger: Logger;
}

const key = 'allowedExtensions';

/**
 * Which extensions may take test locks. The person is asked once for each; a refusal holds for this window.
 *
 * VS Code does not reveal the caller of an API: the id is the caller's own claim. This is courtesy towards the person, not a
 * guard against a malicious extension, which could open connections of its own.
 */
export class ExtensionAccess {
  private readonly parts: AccessParts;
  private readonly refused = new Set<string>();
  private readonly questions = new Map<string, Promise<boolean>>();

  constructor(parts: AccessParts) {
    this.parts = parts;
    parts.onAllowed(this.allowed.length > 0);
  }

  /** Ids, in lower case as VS Code compares them. */
  get allowed(): readonly string[] {
    const stored = this.parts.memory.get(key);
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : [];
  }

  /** @returns the id as the manifest has it. @throws ApiRefusal */
  async require(extensionId: string): Promise<string> {
    const extension = this.parts.find(extensionId);
    if (extension === undefined) throw new ApiRefusal('not-installed', extensionId);
    const id = extension.id.toLowerCase();
    if (this.allowed.includes(id)) return extension.id;
    if (this.refused.has(id) || !(await this.ask(id, extension.name))) {
      throw new ApiRefusal('not-allowed', extension.id);
    }
    return extension.id;
  }

  /** The person is asked again when one of them calls. */
  async revoke(ids: readonly string[]): Promise<void> {
    await this.save(this.allowed.filter(id => !ids.includes(id)));
    this.parts.logger.info(`May not take test locks any more: ${ids.join(', ')}`);
  }

  /** Calls that come while the question is open wait for its answer. */
  private ask(id: string, name: string): Promise<boolean> {
    const open = this.questions.get(id);
    if (open !== undefined) return open;
    const question = this.decide(id, name).finally(() => this.questions.delete(id));
    this.questions.set(id, question);
    return question;
  }

  private async decide(id: string, name: string): Promise<boolean> {
    const isAllowed = await this.parts.ask(id, name);
    this.parts.logger.info(`${id} ${isAllowed ? 'may' : 'may not'} take test locks`);
    if (isAllowed) await this.save([...new Set([...this.allowed, id])]);
    else this.refused.add(id);
    return isAllowed;
  }

  private async save(ids: readonly string[]): Promise<void> {
    await this.parts.memory.update(key, ids);
    this.parts.onAllowed(ids.length > 0);
  }
}
