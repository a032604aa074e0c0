import type { AuthScheme, ClusterAuth, ClusterSecurity, ClusterTls } from '../clusters/clusterProfile.ts';
import type { SecretPurpose } from './clusterSecrets.ts';

/** `several`: the setting holds more than one log-in; the dialogs keep them as they are. */
export type Login = 'none' | AuthScheme | 'several';

/** The answers of the security dialogs so far. */
export interface SecurityDraft {
  encryption: 'none' | 'tls' | 'mutual';
  caFile: string | undefined;
  certFile: string | undefined;
  keyFile: string | undefined;
  keyIsEncrypted: boolean;
  serverName: string;
  login: Login;
  user: string;
  /** Empty: not typed. A saved password stays; without one the user is asked when connecting. */
  password: string;
  passphrase: string;
  readonly present: ClusterSecurity;
}

/** A secret that was typed and is to be saved. */
export interface TypedSecret {
  purpose: SecretPurpose;
  secret: string;
}

function loginOf(auth: readonly ClusterAuth[]): Login {
  return auth.length > 1 ? 'several' : (auth[0]?.scheme ?? 'none');
}

/** The draft before the first answer: it stands for the present fields. */
export function draftOf(present: ClusterSecurity): SecurityDraft {
  const { auth = [], tls = {} } = present;
  const { caFile, certFile, keyFile, serverName = '' } = tls;
  const [login] = auth;
  return {
    encryption: present.tls === undefined ? 'none' : keyFile === undefined ? 'tls' : 'mutual',
    caFile,
    certFile,
    keyFile,
    keyIsEncrypted: false,
    serverName,
    login: loginOf(auth),
    user: auth.length === 1 && login !== undefined ? login.user : '',
    password: '',
    passphrase: '',
    present,
  };
}

function authOf({ login, user, present }: SecurityDraft): readonly ClusterAuth[] {
  if (login === 'none') return [];
  return login === 'several' ? (present.auth ?? []) : [{ scheme: login, user }];
}

function tlsOf({ caFile, certFile, keyFile, encryption, serverName }: SecurityDraft): ClusterTls {
  const tls: ClusterTls = {};
  if (caFile !== undefined) tls.caFile = caFile;
  if (encryption === 'mutual' && certFile !== undefined && keyFile !== undefined)
    Object.assign(tls, { certFile, keyFile });
  if (serverName !== '') tls.serverName = serverName;
  return tls;
}

/** The fields of the profile that the draft stands for. */
export function securityOf(draft: SecurityDraft): ClusterSecurity {
  const auth = authOf(draft);
  return {
    ...(auth.length === 0 ? {} : { auth }),
    ...(draft.encryption === 'none' ? {} : { tls: tlsOf(draft) }),
  };
}

/** What the password is for; `undefined` if the draft has no single log-in. */
export function passwordPurpose({ login, user }: SecurityDraft): SecretPurpose | undefined {
  return login === 'none' || login === 'several' ? undefined : { kind: 'password', scheme: login, user };
}

/** What the passphrase is for; `undefined` if the draft has no encrypted key. */
export function passphrasePurpose({ encryption, keyFile, keyIsEncrypted }: SecurityDraft): SecretPurpose | undefined {
  const needed = encryption === 'mutual' && keyIsEncrypted && keyFile !== undefined;
  return needed ? { kind: 'passphrase', keyFile } : undefined;
}

/** The typed secrets whose purpose still exists with the last answers. */
export function typedSecrets(draft: SecurityDraft): TypedSecret[] {
  const typed = [
    { purpose: passwordPurpose(draft), secret: draft.password },
    { purpose: passphrasePurpose(draft), secret: draft.passphrase },
  ];
  return typed.flatMap(({ purpose, secret }) => (purpose === undefined || secret === '' ? [] : [{ purpose, secret }]));
}
