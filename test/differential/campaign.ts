import { seededRandom } from '../support/seededRandom.ts';
import { comparePlays, type Comparison, describeDifference, shrink, type ComparedServers } from './compare.ts';
import { playable } from './knownDifferences.ts';
import { randomProgram, type Program } from './program.ts';

export interface CampaignOptions {
  programs: number;
  /** Program number n has the seed `seed + n`. */
  seed: number;
  /** Ends after so many differences. Default 1. */
  maxDifferences?: number;
  /** Plays for shortening a program that shows a difference. Default 300. */
  shrinkPlays?: number;
  onProgress?: (played: number) => void;
}

export interface CampaignResult {
  played: number;
  steps: number;
  /** For people: seed, step, both answers, and the shortest program found. */
  differences: string[];
  /** Differences that two more plays of the same program did not show: a race of the real server with itself, on a loaded machine. */
  unrepeated: string[];
  /** Known differences that were met, by their reason. */
  known: Map<string, number>;
  /** How often each `request:error` was seen. */
  exercised: Map<string, number>;
}

/** Plays random programs on two servers. */
export async function runCampaign(servers: ComparedServers, options: CampaignOptions): Promise<CampaignResult> {
  const { programs, seed, maxDifferences = 1 } = options;
  const result: CampaignResult = {
    played: 0,
    steps: 0,
    differences: [],
    unrepeated: [],
    known: new Map(),
    exercised: new Map(),
  };
  let folders = 0;
  const compare = (program: Program) => comparePlays(servers, program, `/d${++folders}`);
  while (result.played < programs && result.differences.length < maxDifferences) {
    const programSeed = seed + result.played;
    const program = playable(servers.version, randomProgram(seededRandom(programSeed)));
    const { difference, known, exercised } = await compare(program).catch((error: unknown) => {
      throw new Error(`The program with seed ${programSeed} could not be played.`, { cause: error });
    });
    for (const reason of known) count(result.known, reason);
    for (const name of exercised) count(result.exercised, name);
    result.played++;
    result.steps += program.steps.length;
    if (difference !== undefined) {
      const seen = `seed ${programSeed}, ${describeDifference(program, difference)}`;
      const shortest = await seenAgain(compare, program, options.shrinkPlays);
      if (shortest === undefined) result.unrepeated.push(seen);
      else result.differences.push(`seed ${programSeed}, ${shortest}`);
    }
    options.onProgress?.(result.played);
  }
  return result;
}

/** Plays a program twice more. @returns the difference that came again, in as few steps as possible; `undefined` if none did */
async function seenAgain(
  compare: (program: Program) => Promise<Comparison>,
  program: Program,
  shrinkPlays: number | undefined,
): Promise<string | undefined> {
  const shows = async (each: Program): Promise<boolean> => (await compare(each)).difference !== undefined;
  if (!(await shows(program)) && !(await shows(program))) return undefined;
  const shortest = await shrink(program, shows, shrinkPlays);
  const { difference } = await compare(shortest);
  return difference === undefined ? 'not seen every time' : describeDifference(shortest, difference);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
