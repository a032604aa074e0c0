import { displayText } from '../../base/displayText.ts';
import { contenderNaming, writableDialects, writtenDialect } from '../../locks/libraries/registry.ts';
import { singleNodeByPath } from '../../locks/libraries/singleNode.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import { isPlayable, readScenario } from '../../scenario/readScenario.ts';
import type { ScenarioRecipe } from '../../scenario/scenario.ts';
import { written } from '../../scenario/tokens.ts';

/** Whether a path can be written in a scenario: any text may be the name of a node. */
export function isWritable(path: string): boolean {
  return isPlayable(readScenario(`A: acquire mutex ${written(path)}`));
}

/** The names of sessions in their order: A to Z, then A1. */
export function sessionName(index: number): string {
  const round = Math.floor(index / 26);
  return `${String.fromCharCode(65 + (index % 26))}${round === 0 ? '' : round}`;
}

/** What a session takes, as a step writes it. */
export function recipeWords(recipe: ScenarioRecipe): string {
  return recipe.name === 'semaphore' ? `${recipe.name} ${recipe.maxLeases}` : recipe.name;
}

/**
 * ` as kazoo`: the library of a lock, where it is not the one that is taken without a word. That is Curator, but for paths by whose names
 * alone a lock of one node is expected.
 *
 * @param dialect one that has no such lock counts as Curator
 */
export function asLibrary(
  dialect: DialectId | undefined,
  name: ScenarioRecipe['name'],
  paths: readonly string[],
): string {
  if (name === 'exclusive') return '';
  const recipe = name === 'multi' ? 'mutex' : name;
  const [usual] = writableDialects(recipe);
  const isKnown = dialect !== undefined && contenderNaming(dialect, recipe) !== undefined;
  const meant = isKnown ? dialect : usual;
  if (meant === undefined || usual === undefined) return '';
  const isUsual = writtenDialect(meant) === writtenDialect(usual);
  return isUsual && paths.every(path => singleNodeByPath(path) === undefined) ? '' : ` as ${meant}`;
}

/** Writes a scenario line by line. A path that all locks share stands once, in the header. */
export class ScenarioWriter {
  private readonly lines: string[] = [];
  private readonly shared: string | undefined;

  /** @param paths of all locks @param header further lines, such as `cluster: sandbox` */
  constructor(paths: readonly string[], comment: string, header: readonly string[] = []) {
    const [first, ...others] = new Set(paths);
    this.shared = others.length === 0 ? first : undefined;
    this.note(comment);
    this.lines.push(...header);
    if (this.shared !== undefined) this.lines.push(`path: ${written(this.shared)}`);
    this.lines.push('');
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  /** A comment of one line. */
  note(comment: string): void {
    this.lines.push(`# ${displayText(comment, 500)}`);
  }

  step(text: string): void {
    this.lines.push(text);
  }

  /** A step at these paths; they are left out where the header has the one. */
  stepAt(before: string, paths: readonly string[], after = ''): void {
    this.step(`${before}${this.at(paths)}${after}`);
  }

  expect(claims: readonly string[]): void {
    if (claims.length > 0) this.step(`expect: ${claims.join(', ')}`);
  }

  /** A claim about one lock. */
  claim(statement: string, path: string): string {
    return `${statement}${this.at([path])}`;
  }

  private at(paths: readonly string[]): string {
    if (paths.length === 1 && paths[0] === this.shared) return '';
    return paths.length === 0 ? '' : ` ${paths.map(path => written(path)).join(', ')}`;
  }
}
