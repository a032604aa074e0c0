import { whyNoGo } from '../../../scripts/system/go.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { startGoContenders, type GoRecipe } from '../../support/goContenders.ts';
import { startKazooContenders, type KazooRecipe } from '../../support/kazooContenders.ts';

/** A recipe of a real library. */
export type Part =
  | { library: 'curator'; recipe: CuratorRecipe }
  | { library: 'kazoo'; recipe: KazooRecipe }
  | { library: 'go'; recipe: GoRecipe };

/** The programs of all libraries on one server. */
export interface Programs {
  /** @throws Error where that library cannot be run */
  of(library: Part['library']): Contenders<string>;
  stop(): Promise<void>;
}

/** @param connectString without a chroot */
export function startPrograms(connectString: string): Programs {
  const programs = new Map<Part['library'], Contenders<string>>([
    ['curator', startCuratorContenders(connectString)],
    ['kazoo', startKazooContenders(connectString)],
  ]);
  if (whyNoGo() === undefined) programs.set('go', startGoContenders(connectString));
  return {
    of(library) {
      const program = programs.get(library);
      if (program === undefined) throw new Error(whyNoGo());
      return program;
    },
    async stop() {
      await Promise.all([...programs.values()].map(program => program.stop()));
    },
  };
}

export const curator = (...recipes: CuratorRecipe[]): Part[] => recipes.map(recipe => ({ library: 'curator', recipe }));
export const kazoo = (...recipes: KazooRecipe[]): Part[] => recipes.map(recipe => ({ library: 'kazoo', recipe }));
export const go = (...recipes: GoRecipe[]): Part[] => recipes.map(recipe => ({ library: 'go', recipe }));
