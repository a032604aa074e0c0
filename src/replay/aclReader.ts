import type { AclEntry } from '../dataTree/acl.ts';
import type { JuteReader } from '../zookeeper/wire/jute.ts';
import { readAclBits } from '../zookeeper/wire/records.ts';

/** An ensemble has few lists. */
const mostLists = 1_000;
/** Of all lists that are known. */
const mostBytes = 1_048_576;

/**
 * Reads ACL lists. Equal lists are one: nodes share it, since nearly all nodes of an ensemble have one of a few. With more different lists
 * than an ensemble has, those that are known are forgotten.
 */
export class AclReader {
  private lastBytes: Uint8Array = new Uint8Array(0);
  private last: readonly AclEntry[] = [];
  /** By their bytes, as the characters U+0000 to U+00FF. */
  private readonly known = new Map<string, readonly AclEntry[]>();
  private knownBytes = 0;

  /** @throws MalformedReplyError for what is no list */
  read(reader: JuteReader): readonly AclEntry[] {
    const start = reader.position;
    if (this.isLast(reader.buffer, start)) {
      reader.skip(this.lastBytes.length);
      return this.last;
    }
    const list = readAclBits(reader);
    this.last = this.shared(reader.buffer.toString('latin1', start, reader.position), list);
    this.lastBytes = new Uint8Array(reader.buffer.subarray(start, reader.position));
    return this.last;
  }

  private shared(text: string, list: readonly AclEntry[]): readonly AclEntry[] {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    this.knownBytes += text.length;
    if (this.known.size >= mostLists || this.knownBytes > mostBytes) {
      this.known.clear();
      this.knownBytes = text.length;
    }
    this.known.set(text, list);
    return list;
  }

  private isLast(buffer: Buffer, start: number): boolean {
    const { lastBytes } = this;
    // A list takes no byte less than its length says, so equal bytes are an equal list.
    for (let at = 0; at < lastBytes.length; at++) if (lastBytes[at] !== buffer[start + at]) return false;
    return lastBytes.length > 0;
  }
}
