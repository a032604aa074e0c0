import { type Dialect } from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { jsonObjectOf, firstField, textOf } from '../nodeData.ts';
import { byName } from '../order.ts';

// Vitess zk2 (docs/dialects.md, section 4): bare numbers below `locks` or `election/<name>`. Every child counts,
// compared as text.

const PATH = /\/locks$|\/elections?\/[^/]+$/;

function identify(node: ChildNode): string {
  const object = jsonObjectOf(node.data);
  return object === undefined ? textOf(node.data) : firstField(object, ['HostName', 'UserName', 'Action']);
}

export const vitess: Dialect = {
  id: 'vitess',
  match: (stem, context) => {
    const fits = stem === '' && PATH.test(context.directoryPath) && context.node?.ephemeralOwner !== 0n;
    return fits ? { kind: 'exclusive' } : undefined;
  },
  compare: byName,
  foreign: { effect: 'counted', suffixOf: name => name },
  identify,
};
