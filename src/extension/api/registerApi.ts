import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import { type RegisterCommand, setContextKey } from '../platform/commands.ts';
import { commandIds, contextKeys } from '../platform/contributions.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { readSettings } from '../platform/settings.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { displayText } from '../../base/displayText.ts';
import type { ZooKeeperLocksApi } from './api.ts';
import { createApi, type ApiParts } from './createApi.ts';
import { ExtensionAccess } from './extensionAccess.ts';

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
