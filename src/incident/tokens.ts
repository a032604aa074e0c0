import { createHmac, randomBytes } from 'node:crypto';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const hex = /^[0-9a-f]{32}$/;
const number = /^\d{1,15}$/;
const address = /^(\[[^\]]{1,100}\]|[^:[\]]{1,300}):(\d{1,5})$/;

/** Host and port of an address as servers report it; `undefined` for another text. */
export function addressParts(text: string): { host: string; port: string } | undefined {
  const [, host, port] = address.exec(text) ?? [];
  if (host === undefined || port === undefined) return undefined;
  return { host: host.startsWith('[') ? host.slice(1, -1) : host, port };
}

/**
 * Stands for texts: the same for the same text within one file. Without the salt, which is random and kept in memory only, a token shows
 * neither its text nor whether the token of another file stands for the same one.
 */
export class Tokens {
  private readonly salt = randomBytes(32);
  private readonly known = new Map<string, string>();

  /** What stands for a text; a UUID, 32 hex digits and a number stay of that form, since libraries read them. */
  of(text: string): string {
    if (text === '') return '';
    let token = this.known.get(text);
    if (token === undefined) {
      token = this.made(text);
      this.known.set(text, token);
    }
    return token;
  }

  /** An address keeps its port: the part before it has the token that it has elsewhere. */
  ofAddress(text: string): string {
    const parts = addressParts(text);
    return parts === undefined ? this.of(text) : `${this.of(parts.host)}:${parts.port}`;
  }

  /** A number that stands for another one. */
  ofNumber(value: number): number {
    return 100_000 + (Number.parseInt(this.digest(String(value)).slice(0, 8), 16) % 900_000);
  }

  private made(text: string): string {
    const digest = this.digest(text);
    if (hex.test(text)) return digest.slice(0, 32);
    if (uuid.test(text)) return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    if (number.test(text)) return String(this.ofNumber(Number(text)));
    // A last digit could be taken for a sequence number.
    return `id-${digest.slice(0, 11)}${'abcdef'.charAt(Number.parseInt(digest.charAt(11), 16) % 6)}`;
  }

  private digest(text: string): string {
    return createHmac('sha256', this.salt).update(text).digest('hex');
  }
}
