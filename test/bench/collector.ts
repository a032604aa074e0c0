import type { Figure, Unit } from './row.ts';

/** Gathers the values of a row. */
export class Collector {
  readonly figures: Figure[] = [];

  add(participant: string, what: { measure: string; unit: Unit; size: number }, ...values: number[]): void {
    const known = this.figures.find(
      figure => figure.participant === participant && figure.measure === what.measure && figure.size === what.size,
    );
    if (known === undefined) this.figures.push({ participant, ...what, values });
    else known.values.push(...values);
  }
}

/** One participant at one work: does it once. */
export type Turns = ReadonlyMap<string, () => Promise<void>>;

/** Participants take turns, so that a slow moment of the machine hits all of them alike. */
export async function takeTurns(rounds: number, turns: Turns): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const turn of turns.values()) await turn();
  }
}
