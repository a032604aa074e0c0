import { randomBytes } from 'node:crypto';
import { answerDigestMd5, checkRspauth, SaslError } from './digestMd5.ts';
import { decodeHandshake, type HandshakeReply, Xid } from './library.ts';
import type { LoginCause, LoginRefusal } from './sessionCause.ts';
import { JuteReader, JuteWriter, MalformedReplyError } from './wire/jute.ts';
import { Op } from './wire/records.ts';
import type { Frame } from './wire/frameSplitter.ts';

export interface Credential {
  /** `digest`, ..., or `sasl` for SASL DIGEST-MD5. */
  scheme: string;
  /** For `digest` and `sasl`: `user:password`. */
  auth: Buffer;
}

/** The server refused a credential; the text says which scheme and holds no secret. */
export class CredentialRefused extends Error {
  private readonly refusal: LoginRefusal;
  private readonly scheme: string;

  constructor(refusal: LoginRefusal, scheme: string, message: string) {
    super(message);
    this.refusal = refusal;
    this.scheme = scheme;
  }

  /** @param server `host:port` */
  by(server: string): LoginCause {
    return { kind: 'login', server, scheme: this.scheme, refusal: this.refusal, detail: this.message };
  }
}

/** Service and host that ZooKeeper's server part of DIGEST-MD5 goes by (SaslServerPrincipal.java, ServerCnxn). */
const digestUri = 'zookeeper/zk-sasl-md5';

type Step = (error: number, reader: JuteReader) => Buffer | undefined;

/**
 * Presents the session's credentials on one connection, before watches and requests: SASL first, one after the other,
 * since a server that refuses one closes the connection, and its answer would be lost behind unread requests.
 */
export class Authentication {
  private readonly credentials: readonly Credential[];
  private next = 0;
  private step: Step | undefined;

  constructor(credentials: readonly Credential[]) {
    this.credentials = [...credentials].sort((a, b) => Number(b.scheme === 'sasl') - Number(a.scheme === 'sasl'));
  }

  /** @returns the next frame to send; `undefined` when all credentials were accepted */
  begin(): Buffer | undefined {
    const credential = this.credentials[this.next++];
    if (credential === undefined) return undefined;
    if (credential.scheme === 'sasl') return this.beginSasl(credential);
    this.step = error => {
      const { scheme } = credential;
      if (error !== 0) {
        throw new CredentialRefused('credential', scheme, `the ${scheme} credential was refused (error ${error})`);
      }
      return this.begin();
    };
    return new JuteWriter()
      .int(Xid.auth)
      .int(Op.auth)
      .int(0)
      .string(credential.scheme)
      .bytes(credential.auth)
      .toFrame();
  }

  /**
   * Takes the reply to the frame that was sent last.
   *
   * @returns the next frame; `undefined` when all credentials were accepted
   * @throws CredentialRefused, MalformedReplyError
   */
  accept(error: number, reader: JuteReader): Buffer | undefined {
    const { step } = this;
    this.step = undefined;
    return step?.(error, reader);
  }

  /** DIGEST-MD5: empty token, challenge, response, proof of the server. */
  private beginSasl(credential: Credential): Buffer {
    const text = credential.auth.toString('utf8');
    const colon = text.indexOf(':');
    const account = { user: text.slice(0, colon), password: text.slice(colon + 1), digestUri };
    this.step = (error, reader) => {
      if (error !== 0) throw saslRefused('no-sasl', `SASL was refused (error ${error})`);
      return this.respond(account, reader);
    };
    return saslFrame('');
  }

  private respond(account: { user: string; password: string; digestUri: string }, reader: JuteReader): Buffer {
    const challenge = saslToken(reader);
    if (challenge === '') throw saslRefused('no-digest-md5', 'the server has no SASL DIGEST-MD5');
    const { response, rspauth } = refusing(() => answerDigestMd5(account, challenge, randomBytes(16).toString('hex')));
    this.step = (error, reply) => {
      const proof = saslToken(reply);
      if (error !== 0 || proof === '') throw saslRefused('wrong-account', 'SASL user or password are wrong');
      refusing(() => checkRspauth(proof, rspauth));
      return this.begin();
    };
    return saslFrame(response);
  }
}

function saslRefused(refusal: LoginRefusal, message: string): CredentialRefused {
  return new CredentialRefused(refusal, 'sasl', message);
}

function saslFrame(token: string): Buffer {
  return new JuteWriter().int(Xid.sasl).int(Op.sasl).bytes(Buffer.from(token)).toFrame();
}

/** A refusal may come without a record. */
function saslToken(reader: JuteReader): string {
  return reader.isAtEnd ? '' : Buffer.from(reader.bytes()).toString('utf8');
}

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SaslError) throw saslRefused(error.refusal, error.message);
    throw error;
  }
}

export interface HandshakeListener {
  send(frame: Buffer): void;
  /** @returns whether to continue with this session */
  granted(reply: HandshakeReply): boolean;
  /** A credential was refused; the text holds no secret. */
  refused(why: CredentialRefused): void;
  /** Watches and requests may flow. */
  done(): void;
}

/** The first frames of a connection: the session that the server grants, then the credentials, one by one. */
export class Handshake {
  private readonly authentication: Authentication;
  private readonly listener: HandshakeListener;
  private isGranted = false;

  constructor(credentials: readonly Credential[], listener: HandshakeListener) {
    this.authentication = new Authentication(credentials);
    this.listener = listener;
  }

  /** @throws MalformedReplyError if a ZooKeeper server would not send this frame now */
  accept(frame: Frame): void {
    if (this.isGranted) {
      this.acceptCredential(new JuteReader(frame.body));
      return;
    }
    const reply = decodeHandshake(frame.body);
    if (reply === undefined) throw new MalformedReplyError('no handshake');
    this.isGranted = true;
    if (this.listener.granted(reply)) this.go(this.authentication.begin());
  }

  private acceptCredential(reader: JuteReader): void {
    const xid = reader.int();
    reader.long();
    const error = reader.int();
    if (xid !== Xid.auth && xid !== Xid.sasl) throw new MalformedReplyError(`reply ${xid} during authentication`);
    try {
      this.go(this.authentication.accept(error, reader));
    } catch (refusal) {
      if (!(refusal instanceof CredentialRefused)) throw refusal;
      this.listener.refused(refusal);
    }
  }

  private go(frame: Buffer | undefined): void {
    if (frame === undefined) this.listener.done();
    else this.listener.send(frame);
  }
}
