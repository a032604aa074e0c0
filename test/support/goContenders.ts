import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { findGo, goPath, whyNoGo } from '../../scripts/system/go.ts';
import { buildOnce, cacheFolder } from './buildOnce.ts';
import { Contenders } from './contenders.ts';
import { JsonLines } from './jsonLines.ts';

export type GoRecipe =
  /** Debian's go-zookeeper, of 2018: the number behind the last dash of every child counts, a child without one ends the attempt. */
  | 'lock'
  /** The rule of go-zookeeper since 1.0.3, which also reads kazoo's names. */
  | 'lockOfToday';

const sourceFolder = fileURLToPath(new URL('go', import.meta.url));

/** A `describe` that is skipped where go-zookeeper cannot be run, with the reason in its title and on standard error. */
export function describeWithGo(title: string, tests: () => void): void {
  const missing = whyNoGo();
  if (missing !== undefined) process.stderr.write(`SKIPPED: ${title}. ${missing}\n`);
  describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (${missing})`, tests);
}

/**
 * Starts a program that runs go-zookeeper's lock, after building it where needed.
 *
 * @param connectString one server, without a chroot
 * @throws Error where Go is missing: see `describeWithGo`
 */
export function startGoContenders(connectString: string): Contenders<GoRecipe> {
  const missing = whyNoGo();
  if (missing !== undefined) throw new Error(missing);
  const built = buildOnce({ sourceFolder, extension: '.go', name: 'go-contenders', salt: goPath }, (sources, folder) =>
    spawnSync(findGo()!, ['build', '-o', join(folder, 'contenders'), ...sources], {
      encoding: 'utf8',
      env: {
        ...process.env,
        GO111MODULE: 'off',
        GOPATH: goPath,
        GOFLAGS: '',
        CGO_ENABLED: '0',
        GOCACHE: join(cacheFolder, 'go-build'),
      },
    }),
  );
  return new Contenders<GoRecipe>(new JsonLines('go-zookeeper', join(built, 'contenders'), [connectString]));
}
