import { l10n } from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { displayText } from '../../base/displayText.ts';
import { ApiFailure } from './apiFailure.ts';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import { type RegisterCommand, setContextKey } from '../platform/commands.ts';
import { commandIds, contextKeys } from '../platform/contributions.ts';
import { readSettings } from '../platform/settings.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import type { ZooKeeperLocksApi } from './api.ts';
import { createApi, type ApiParts } from './createApi.ts';

export interface AccessParts {
  /** VS Code's state of this installation. */
  memory: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  /** Id and name of an installed extension, as its manifest has them. */
  find(extensionId: string): { id: string; name: string } | undefined;
  reporter: Pick<ErrorReporter, 'confirm'>;
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

  /** @returns the id as the manifest has it. @throws ApiFailure NOT_ALLOWED */
  async require(extensionId: string): Promise<string> {
    const extension = this.parts.find(extensionId);
    if (extension === undefined) {
      throw new ApiFailure('NOT_ALLOWED', `No extension "${extensionId}" is installed. Give your own id.`);
    }
    const id = extension.id.toLowerCase();
    if (this.allowed.includes(id)) return extension.id;
    if (this.refused.has(id) || !(await this.ask(id, extension.name))) {
      throw new ApiFailure('NOT_ALLOWED', `The person does not allow ${extension.id} to take test locks.`);
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
    const isAllowed = await this.parts.reporter.confirm(
      l10n.t('May the extension "{0}" ({1}) take test locks?', displayText(name, 60), displayText(id, 100)),
      l10n.t(
        'Services that use such a lock may wait for it. You see each lock under Test Locks and can release it there; each is released automatically after some time. On production clusters you are asked every time.',
      ),
      l10n.t('Allow'),
    );
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

export interface ApiRegistration {
  register: RegisterCommand;
  registry: ClusterRegistry;
  testLocks: TestLockRegistry;
  reporter: ErrorReporter;
  /** VS Code's state of this installation. */
  storage: vscode.Memento;
  load: () => Promise<Pick<ApiParts, 'readQueues'>>;
  logger: Logger;
}

function findExtension(extensionId: string): { id: string; name: string } | undefined {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) return undefined;
  const { displayName } = extension.packageJSON as { displayName?: unknown };
  return { id: extension.id, name: typeof displayName === 'string' ? displayName : extension.id };
}

async function revoke(access: ExtensionAccess, reporter: ErrorReporter): Promise<void> {
  const { allowed } = access;
  if (allowed.length === 0) {
    reporter.inform(l10n.t('No extension was allowed to take test locks.'));
    return;
  }
  const id = valueOf(
    await askChoice({
      title: l10n.t('Revoke Access of Extensions'),
      placeholder: l10n.t('Which extension may no longer take test locks?'),
      choices: allowed.map(one => ({
        label: displayText(one),
        description: displayText(findExtension(one)?.name ?? l10n.t('not installed')),
        value: one,
      })),
    }),
  );
  await access.revoke([id]);
}

/** The API for other extensions, and the command that takes a permission back. */
export function registerApi(parts: ApiRegistration): Disposable & { api: ZooKeeperLocksApi } {
  const { register, reporter, storage, logger } = parts;
  const access = new ExtensionAccess({
    memory: storage,
    find: findExtension,
    reporter,
    onAllowed: isAny => setContextKey(contextKeys.hasAllowedExtensions, isAny),
    logger,
  });
  const command = register(commandIds.revokeExtensions, () => revoke(access, reporter));
  const api = createApi({
    ...parts,
    access,
    readQueues: async (...request) => (await parts.load()).readQueues(...request),
    isTrusted: () => vscode.workspace.isTrusted,
    autoReleaseMs: () => readSettings().autoReleaseMs,
  });
  return { api, dispose: () => command.dispose() };
}
