import type { Workbench } from '../../workbench/support/workbench.ts';
import type { Bench } from '../bench.ts';
import { contenderPrefix } from '../fixtures.ts';

/** A lock that is handed from one contender to the next. */
export interface Relay {
  path: string;
  /** The contenders' nodes, in the order in which they hold. */
  nodes: string[];
}

const handOffs = 21;

/** Longer than the tree rests after it was drawn twice (`treePace`), so that each hand-off meets a tree at rest. */
const paceMs = 1_500;

const seenWithinMs = 10_000;

/** @returns a lock below the root that the bench's cluster is searched from */
export async function makeRelay({ client, fixtures }: Bench): Promise<Relay> {
  const path = '/bench/queues/relay';
  await fixtures.ensure(path);
  const nodes: string[] = [];
  for (let at = 0; at <= handOffs; at++) {
    const data = Buffer.from(runner(at));
    const made = await client.create(`${path}/${contenderPrefix()}`, { data, mode: 'ephemeral_sequential' });
    nodes.push(made.path);
  }
  return { path, nodes };
}

/** @returns for each hand-off the time from the delete of the holder's node to the frame that shows the next holder, ms */
export async function handOffDelays({ client }: Bench, { page }: Workbench, { nodes }: Relay): Promise<number[]> {
  const delays: number[] = [];
  for (const [at, node] of nodes.slice(0, handOffs).entries()) {
    await new Promise(resolve => setTimeout(resolve, paceMs));
    const seen = momentOnScreen(page, `held by ${runner(at + 1)} `);
    const deletedAt = Date.now();
    const [seenAt] = await Promise.all([seen, client.remove(node, 0)]);
    delays.push(seenAt - deletedAt);
  }
  return delays;
}

function runner(at: number): string {
  return `runner-${at}`;
}

/** Resolves with the wall clock when a row describes itself so; looks at every frame. */
function momentOnScreen(page: Workbench['page'], description: string): Promise<number> {
  return page.evaluate(
    ([text, withinMs]) =>
      new Promise<number>((resolve, reject) => {
        const end = Date.now() + withinMs;
        const look = (): void => {
          const rows = [...document.querySelectorAll('.sidebar .label-description')];
          if (rows.some(row => `${row.textContent} `.includes(text))) resolve(Date.now());
          else if (Date.now() > end) reject(new Error(`The tree does not show "${text}".`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    [description, seenWithinMs] as const,
  );
}
