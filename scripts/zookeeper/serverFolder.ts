import { readdirSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { debianClassPath, debianLibraries } from './locate.ts';

/** The jar of one ZooKeeper server, without the libraries that it needs. */
export interface ServerJar {
  /** As `3.8.0`. */
  version: string;
  path: string;
}

/** @returns the `zookeeper-VERSION.jar` files of a folder, oldest version first */
export function serverJars(folder: string): ServerJar[] {
  const jars = readdirSync(folder).flatMap(name => {
    const version = /^zookeeper-(\d+\.\d+\.\d+)\.jar$/.exec(name)?.[1];
    return version === undefined ? [] : [{ version, path: join(folder, name) }];
  });
  return jars.sort((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }));
}

/** Fills an empty folder with links, so that it can be a `ZOOKEEPER_HOME`: the server's jar, and Debian's libraries in `lib`. */
export async function fillServerFolder(folder: string, { path }: ServerJar): Promise<void> {
  const libraries = join(folder, 'lib');
  await mkdir(libraries, { recursive: true });
  await symlink(path, join(folder, basename(path)));
  for (const library of debianClassPath(debianLibraries)) await symlink(library, join(libraries, basename(library)));
}
