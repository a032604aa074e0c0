import * as vscode from 'vscode';
import type { ZooKeeperLocksApi } from '../../app/api/api.ts';
import { createApi, type ApiParts } from '../../app/api/createApi.ts';
import { ExtensionAccess } from '../../app/api/extensionAccess.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import type { Disposable } from '../../base/disposable.ts';
import { displayText } from '../../base/displayText.ts';
import { confirmProduction } from '../dialogs/confirmations.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import { setContextKey } from '../platform/commands.ts';
import { commandIds, contextKeys } from '../platform/contributions.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { readSettings } from '../platform/settings.ts';
import { errorSentence, errorText } from '../words/errorText.ts';
import type { CommandParts } from './clusterCommands.ts';
import { l10n } from '../words/language.ts';

interface ApiRegistration extends Pick<CommandParts, 'register' | 'registry' | 'reporter' | 'logger'> {
  testLocks: TestLockRegistry;
  /** VS Code's state of this installation. */
  storage: vscode.Memento;
  loadFirst: () => Promise<Pick<ApiParts, 'readQueues'>>;
}

function findExtension(extensionId: string): { id: string; name: string } | undefined {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) return undefined;
  const { displayName } = extension.packageJSON as { displayName?: unknown };
  return { id: extension.id, name: typeof displayName === 'string' ? displayName : extension.id };
}

/** The words for an error that another extension catches. */
export function errorWords(error: unknown, withAdvice: boolean): string {
  return withAdvice ? errorSentence(error) : errorText(error).what;
}

/** Asks once for each extension. */
export async function askForAccess(
  reporter: Pick<ErrorReporter, 'confirm'>,
  id: string,
  name: string,
): Promise<boolean> {
  return reporter.confirm(
    l10n.t('May the extension "{0}" ({1}) take test locks?', displayText(name, 60), displayText(id, 100)),
    l10n.t(
      'Services that use such a lock may wait for it. You see each lock under Test Locks and can release it there; each is released automatically after some time. On production clusters you are asked every time.',
    ),
    l10n.t('Allow'),
  );
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
    ask: (id, name) => askForAccess(reporter, id, name),
    onAllowed: isAny => setContextKey(contextKeys.hasAllowedExtensions, isAny),
    logger,
  });
  const command = register(commandIds.revokeExtensions, () => revoke(access, reporter));
  const api = createApi({
    ...parts,
    access,
    confirm: (request, extensionId) => confirmProduction(reporter, request, extensionId),
    words: errorWords,
    readQueues: async (...request) => (await parts.loadFirst()).readQueues(...request),
    isTrusted: () => vscode.workspace.isTrusted,
    autoReleaseMs: () => readSettings().autoReleaseMs,
  });
  return { api, dispose: () => command.dispose() };
}
