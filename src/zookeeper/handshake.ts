import { randomBytes } from 'node:crypto';
import { answerDigestMd5, checkRspauth } from './digestMd5.ts';
import { decodeHandshake, type HandshakeReply, Xid } from './library.ts';
import { CredentialRefused, refusalOf } from './sessionCause.ts';
import type { Frame } from './wire/frameSplitter.ts';
import { JuteReader, JuteWriter, MalformedReplyError } from './wire/jute.ts';
import { Op } from './wire/records.ts';

export interface Credential {
  /** `digest`, ..., or `sasl` for SASL DIGEST-MD5. */
  scheme: string;
  /** For `digest` and `sasl`: `user:password`. */
  auth: Buffer;
}

export interface HandshakeListener {
  send(frame: Buffer): void;
  /** @returns whether to continue with this session */
  granted(reply: HandshakeReply): boolean;
  refused(why: CredentialRefused): void;
  /** Watches and requests may be sent. */
  done(): void;
}

/** Service and host of ZooKeeper's server part of DIGEST-MD5 (SaslServerPrincipal.java, ServerCnxn). */
const digestUri = 'zookeeper/zk-sasl-md5';

/** Takes the reply to the credential frame that was sent last. */
type Step = (error: number, reader: JuteReader) => void;

const pingFrame = new JuteWriter().int(Xid.ping).int(Op.ping).toFrame();

/**
 * The first frames of a connection: the session that the server grants, then the credentials. SASL comes first, and one after the
 * other, since a server that refuses one closes the connection, and its answer would be lost behind unread requests.
 *
 * A server that requires a log-in grants every session, and refuses the first request (AuthenticationHelper.java). So a new session
 * begins with a ping: without credentials in the flush of the handshake, which costs no time, else after the last credential.
 */
export class Handshake {
  private readonly credentials: readonly Credential[];
  private readonly listener: HandshakeListener;
  private isGranted = false;
  private next = 0;
  private probe: 'none' | 'unsent' | 'sent' = 'none';
  private step: Step = () => undefined;

  constructor(credentials: readonly Credential[], listener: HandshakeListener) {
    this.credentials = [...credentials].sort((a, b) => Number(b.scheme === 'sasl') - Number(a.scheme === 'sasl'));
    this.listener = listener;
  }

  /**
   * @param hello the frame that requests the session
   * @param isNew whether there is no session yet. Where an old one is refused, a request behind it could cost the answer
   */
  begin(hello: Buffer, isNew: boolean): void {
    this.listener.send(hello);
    if (!isNew) return;
    this.probe = 'unsent';
    if (this.credentials.length === 0) this.sendProbe();
  }

  private sendProbe(): void {
    this.probe = 'sent';
    this.listener.send(pingFrame);
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
    if (this.listener.granted(reply)) this.sendCredential();
  }

  private acceptCredential(reader: JuteReader): void {
    const xid = reader.int();
    reader.long();
    const error = reader.int();
    const expected: readonly number[] = this.next > this.credentials.length ? [Xid.ping] : [Xid.auth, Xid.sasl];
    if (!expected.includes(xid)) throw new MalformedReplyError(`reply ${xid} during authentication`);
    try {
      this.step(error, reader);
    } catch (refusal) {
      if (!(refusal instanceof CredentialRefused)) throw refusal;
      this.listener.refused(refusal);
    }
  }

  private sendCredential(): void {
    const credential = this.credentials[this.next++];
    if (credential === undefined) {
      this.awaitProbe();
      return;
    }
    const { scheme, auth } = credential;
    if (scheme === 'sasl') {
      this.beginSasl(auth.toString('utf8'));
      return;
    }
    this.step = error => {
      if (error !== 0) {
        throw new CredentialRefused(scheme, 'credential', `the ${scheme} credential was refused (error ${error})`);
      }
      this.sendCredential();
    };
    this.listener.send(new JuteWriter().int(Xid.auth).int(Op.auth).int(0).string(scheme).bytes(auth).toFrame());
  }

  private awaitProbe(): void {
    if (this.probe === 'none') {
      this.listener.done();
      return;
    }
    if (this.probe === 'unsent') this.sendProbe();
    this.step = error => {
      const refusal = refusalOf(error);
      if (refusal !== undefined) throw refusal;
      this.listener.done();
    };
  }

  /** DIGEST-MD5: empty token, challenge, response, proof of the server. */
  private beginSasl(credential: string): void {
    const colon = credential.indexOf(':');
    const account = { user: credential.slice(0, colon), password: credential.slice(colon + 1), digestUri };
    this.step = (error, reader) => {
      if (error !== 0) throw new CredentialRefused('sasl', 'no-sasl', `SASL was refused (error ${error})`);
      const challenge = saslToken(reader);
      if (challenge === '') {
        throw new CredentialRefused('sasl', 'no-digest-md5', 'the server has no SASL DIGEST-MD5');
      }
      const { response, rspauth } = answerDigestMd5(account, challenge, randomBytes(16).toString('hex'));
      this.step = (lastError, reply) => this.endSasl(lastError, saslToken(reply), rspauth);
      this.listener.send(saslFrame(response));
    };
    this.listener.send(saslFrame(''));
  }

  private endSasl(error: number, proof: string, rspauth: string): void {
    if (error !== 0 || proof === '') {
      throw new CredentialRefused('sasl', 'wrong-account', 'SASL user or password are wrong');
    }
    checkRspauth(proof, rspauth);
    this.sendCredential();
  }
}

function saslFrame(token: string): Buffer {
  return new JuteWriter().int(Xid.sasl).int(Op.sasl).bytes(Buffer.from(token)).toFrame();
}

/** A refusal may come without a record. */
function saslToken(reader: JuteReader): string {
  return reader.isAtEnd ? '' : Buffer.from(reader.bytes()).toString('utf8');
}
