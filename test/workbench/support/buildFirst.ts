import { buildExtension } from '../../../scripts/build/bundle.ts';

/** Vitest's global set-up of the workbench tests: what they see is what the sources say now. */
export async function setup(): Promise<void> {
  await buildExtension({ production: true });
}
