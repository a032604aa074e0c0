import type { Observer } from './observer.ts';

/** Creates a queue of contenders named as kazoo's Lock names them, each with an identifier; all of one session. */
export async function longQueue(observer: Observer, path: string, length: number): Promise<string[]> {
  await observer.ensure(path);
  return observer.createMany(
    Array.from({ length }, (_, index) => ({
      path: `${path}/${index.toString(16).padStart(32, '0')}__lock__`,
      data: `host-${index}.example.org`,
      ephemeral: true,
      sequence: true,
    })),
  );
}
