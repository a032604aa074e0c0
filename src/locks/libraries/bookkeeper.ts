import type { ChildNode } from '../lockDirectory.ts';
import { shorten, textOf } from '../identifier.ts';
import { bySequence, mutexRule, type Dialect } from './dialect.ts';

// BookKeeper's auditor election (docs/dialects.md, section 4): `V_<seq>`, data in protobuf's text form.

function identify(node: ChildNode): string {
  const text = textOf(node.data);
  return shorten(/bookieId:\s*"([^"]*)"/.exec(text)?.[1] ?? text);
}

export const bookkeeperAuditor: Dialect = {
  id: 'bookkeeper-auditor',
  match: stem => (stem === 'V_' ? { kind: 'candidate' } : undefined),
  compare: bySequence,
  rule: mutexRule,
  foreign: { effect: 'fails', unless: /^V_-?\d+$/ },
  identify,
};
