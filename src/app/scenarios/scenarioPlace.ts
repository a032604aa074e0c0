import { sandboxWord, type Scenario } from '../../scenario/scenario.ts';

/**
 * Who says where files are played. `header`: each file, and a sandbox for one that does not say it. `header or ask`: as before, but the
 * person is asked for the others. `sandbox`, `ask`: for all of them, whatever they say. `sandbox only`: a file that names a cluster is
 * left out, since the run begins by itself.
 */
export type Where = 'header' | 'header or ask' | 'sandbox' | 'ask' | 'sandbox only';

/** Where one file is played. `left out`: not in this run. */
export type Place =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'named' | 'left out'; readonly name: string };

export function placeOf({ cluster }: Pick<Scenario, 'cluster'>, where: Where): Place {
  if (where === 'sandbox' || where === 'ask') return { kind: where };
  if (cluster === undefined) return { kind: where === 'header or ask' ? 'ask' : 'sandbox' };
  if (cluster.text === sandboxWord) return { kind: 'sandbox' };
  return { kind: where === 'sandbox only' ? 'left out' : 'named', name: cluster.text };
}
