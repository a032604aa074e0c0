import type { ChildNode } from '../lockDirectory.ts';
import { jsonFieldOf } from '../identifier.ts';
import { bySequence, ignoresForeign, type Dialect } from './dialect.ts';

// Mesos masters (docs/dialects.md, section 4): `json.info_<seq>`, formerly `info_<seq>` with protobuf data. The lowest
// number of all leads; everybody watches the group's children.

function identify(node: ChildNode): string {
  return jsonFieldOf(node.data, ['hostname', 'pid', 'id']);
}

export const mesos: Dialect = {
  id: 'mesos',
  match: stem => (stem === 'json.info_' || stem === 'info_' ? { kind: 'candidate' } : undefined),
  compare: bySequence,
  rule: { type: 'mutex', waiterWatches: 'children' },
  foreign: ignoresForeign,
  identify,
};
