import type { Logger } from '../../base/logger.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { ConnectOptions } from '../../zookeeper/connect.ts';
import { unlessAborted } from '../../base/unlessAborted.ts';
import { AuthenticationFailedError, CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterProfile, ClusterTls } from '../clusters/clusterProfile.ts';
import {
  MissingSecretError,
  purposesOf,
  secretKey,
  type ClusterSecrets,
  type SecretPurpose,
} from './clusterSecrets.ts';
import { checkKeyPair, isEncryptedKey, readTlsFiles, WrongPassphraseError } from './tlsFiles.ts';

/** `refused`: the saved or given secret was wrong. */
export type AskReason = 'missing' | 'refused';

export interface SessionOpenerParts {
  secrets: Pick<ClusterSecrets, 'get' | 'keep'>;
  /**
   * Asks the user.
   *
   * @param signal aborted when no attempt needs the answer any more
   * @throws CancelledError when nothing is given
   */
  ask(
    profile: ClusterProfile,
    purpose: SecretPurpose,
    why: AskReason,
    signal: AbortSignal,
  ): Promise<{ secret: string; save: boolean }>;
  connect(connectString: string, options: ConnectOptions): Promise<ZooKeeperClient>;
  connectTimeoutMs(): number;
  logger: Logger;
}

/** A dialog that is open now. */
interface OpenQuestion {
  answer: Promise<string>;
  /** How many attempts to connect wait for the answer. */
  waiting: number;
  abort: AbortController;
}

/**
 * Opens the sessions of a cluster, browsing and lock session alike, with the log-in and the TLS files of its profile.
 * Files and secrets are read for each attempt and not kept here.
 */
export class SessionOpener {
  private readonly parts: SessionOpenerParts;
  /** Both sessions may need the same secret at the same time: there is one dialog for both. */
  private readonly questions = new Map<string, OpenQuestion>();
  /** Keys of secrets that a server has refused, or that do not open a key file: the next attempt asks for them again. */
  private readonly refused = new Set<string>();

  constructor(parts: SessionOpenerParts) {
    this.parts = parts;
  }

  /**
   * @param session its sockets and its time-out, where they are not the usual ones
   * @throws TlsFileError, MissingSecretError, CancelledError, and what connecting throws
   */
  async open(
    profile: ClusterProfile,
    signal: AbortSignal,
    session: Pick<ConnectOptions, 'openSocket' | 'sessionTimeoutMs'> = {},
  ): Promise<ZooKeeperClient> {
    const tls = profile.tls === undefined ? undefined : await this.tlsOptions(profile, profile.tls, signal);
    const auth: { scheme: string; credential: string }[] = [];
    for (const { scheme, user } of profile.auth ?? []) {
      const password = await this.secretFor(profile, { kind: 'password', scheme, user }, signal);
      auth.push({ scheme, credential: `${user}:${password}` });
    }
    const limits = { signal, connectTimeoutMs: this.parts.connectTimeoutMs(), logger: this.parts.logger };
    try {
      return await this.parts.connect(profile.connectString, {
        ...limits,
        ...session,
        auth,
        ...(tls === undefined ? {} : { tls }),
      });
    } catch (error) {
      if (error instanceof AuthenticationFailedError) this.distrustPasswords(profile);
      throw error;
    }
  }

  /** Secrets of these purposes were replaced: they may be used again. */
  trust(clusterId: string, purposes: readonly SecretPurpose[]): void {
    for (const purpose of purposes) this.refused.delete(secretKey(clusterId, purpose));
  }

  private distrustPasswords(profile: ClusterProfile): void {
    for (const purpose of purposesOf(profile)) {
      if (purpose.kind === 'password') this.refused.add(secretKey(profile.id, purpose));
    }
  }

  private async tlsOptions(
    profile: ClusterProfile,
    tls: ClusterTls,
    signal: AbortSignal,
  ): Promise<NonNullable<ConnectOptions['tls']>> {
    const material = await readTlsFiles(tls);
    const { keyFile } = tls;
    if (keyFile === undefined || material.key === undefined || !isEncryptedKey(material.key)) {
      checkKeyPair(tls, material, undefined);
      return material;
    }
    const purpose = { kind: 'passphrase', keyFile } as const;
    for (;;) {
      const passphrase = await this.secretFor(profile, purpose, signal);
      try {
        checkKeyPair(tls, material, passphrase);
        return { ...material, passphrase };
      } catch (error) {
        if (!(error instanceof WrongPassphraseError)) throw error;
        this.refused.add(secretKey(profile.id, purpose));
      }
    }
  }

  private async secretFor(profile: ClusterProfile, purpose: SecretPurpose, signal: AbortSignal): Promise<string> {
    const key = secretKey(profile.id, purpose);
    const saved = this.refused.has(key) ? undefined : await this.parts.secrets.get(profile.id, purpose);
    if (saved !== undefined) return saved;
    let question = this.questions.get(key);
    if (question === undefined) {
      const abort = new AbortController();
      question = { answer: this.question(profile, purpose, key, abort.signal), waiting: 0, abort };
      this.questions.set(key, question);
    }
    question.waiting++;
    try {
      return await unlessAborted(question.answer, signal, () => new CancelledError('Connecting'));
    } finally {
      question.waiting--;
      if (question.waiting === 0) {
        this.questions.delete(key);
        question.abort.abort();
      }
    }
  }

  private async question(
    profile: ClusterProfile,
    purpose: SecretPurpose,
    key: string,
    signal: AbortSignal,
  ): Promise<string> {
    try {
      const why = this.refused.has(key) ? 'refused' : 'missing';
      const { secret, save } = await this.parts.ask(profile, purpose, why, signal);
      await this.parts.secrets.keep(profile.id, purpose, secret, save);
      this.refused.delete(key);
      return secret;
    } catch (error) {
      if (error instanceof CancelledError) throw new MissingSecretError(purpose);
      throw error;
    }
  }
}
