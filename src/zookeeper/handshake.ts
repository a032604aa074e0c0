import { Authentication, CredentialRefused, type Credential } from './authentication.ts';
import { decodeHandshake, Xid, type HandshakeReply } from './library.ts';
import type { Frame } from './wire/frameSplitter.ts';
import { JuteReader, MalformedReplyError } from './wire/jute.ts';

export interface HandshakeListener {
  send(frame: Buffer): void;
  /** @returns whether to go on with this session */
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

  /** @throws MalformedReplyError if this is not what a ZooKeeper server says now */
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
