import { openAcl, type AclEntry, type Id } from '../../../src/dataTree/acl.ts';
import { type Applied, DataTree } from '../../../src/dataTree/dataTree.ts';
import { prepare, type SingleWrite, type WriteRequest } from '../../../src/dataTree/prepare.ts';
import type { Change } from '../../../src/dataTree/transaction.ts';

type Kind = 'plain' | 'container' | 'ttl';

export interface CreatePlan {
  flags?: number;
  kind?: Kind;
  ttl?: bigint;
  data?: string;
  acl?: readonly AclEntry[];
}

/** A create with what is usual. */
export function createOf(
  path: string,
  { flags = 0, kind = 'plain', ttl = -1n, data = '', acl = openAcl }: CreatePlan = {},
): SingleWrite {
  return { op: 'create', path, data: Buffer.from(data), acl, flags, kind, ttl };
}

/** A tree whose zxids and times count from 1, with what it reported. */
export class TreeUnderTest {
  readonly events: string[] = [];
  readonly tree = new DataTree(({ type, path }, _, zxid) => this.events.push(`${zxid} ${type} ${path}`));
  /** Also the time of the next transaction, ms. */
  zxid = 0n;

  /** Prepares and applies a request, as a server does. */
  write(request: WriteRequest, sessionId = 1n, identities: readonly Id[] = []): Applied {
    return this.apply(prepare(this.tree, { sessionId, identities }, request), sessionId);
  }

  create(path: string, plan: CreatePlan = {}, sessionId = 1n): Applied {
    return this.write(createOf(path, plan), sessionId);
  }

  apply(change: Change, sessionId = 1n): Applied {
    this.zxid++;
    return this.tree.apply({ sessionId, cxid: 1, zxid: this.zxid, time: Number(this.zxid), change });
  }

  children(path: string): string[] {
    return [...(this.tree.get(path)?.children ?? [])].sort();
  }
}
