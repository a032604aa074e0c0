import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import { askSecret } from '../dialogs/secretQuestion.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { readSettings } from '../platform/settings.ts';
import { callLater } from '../../base/timer.ts';
import { ClusterSecrets, type SecretVault, removeOrphanedSecrets } from '../../app/security/clusterSecrets.ts';
import { SessionOpener, type SessionOpenerParts } from '../../app/security/sessionOpener.ts';
import { l10n } from '../words/language.ts';

export interface Security extends Disposable {
  secrets: ClusterSecrets;
  opener: SessionOpener;
}

/** Secrets and the one way to open sessions with them. Nothing is read before something connects. */
export function registerSecurity(
  vault: SecretVault,
  connect: SessionOpenerParts['connect'],
  { store, reporter, logger }: { store: ClusterStore; reporter: ErrorReporter; logger: Logger },
): Security {
  const secrets = new ClusterSecrets({
    vault,
    onUnavailable: () => {
      reporter.warn(
        l10n.t(
          'This machine has no usable keyring, so passwords are not saved. They are kept in the memory of this window, and you can connect.',
        ),
      );
    },
    logger,
  });
  const opener = new SessionOpener({
    secrets,
    ask: (profile, purpose, why, signal) => askSecret({ profile, purpose, why, canSave: secrets.canSave, signal }),
    connect,
    connectTimeoutMs: () => readSettings().connectTimeoutMs,
    logger,
  });
  const upkeep = removeOrphanedSecrets(store, secrets, callLater);
  return { secrets, opener, dispose: () => upkeep.dispose() };
}
