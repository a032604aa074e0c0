import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLock, type LockSpec } from '../../../src/recipes/createLock.ts';
import { WrongDialect } from '../../../src/recipes/errors.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { startKazooContenders, type KazooContenders } from '../../support/kazooContenders.ts';
import { ephemerals, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const path = '/locks/seats';

let curator: Contenders<CuratorRecipe>;
let kazoo: KazooContenders;
beforeAll(() => {
  curator = startCuratorContenders(realm.serverConnectString);
  kazoo = startKazooContenders(realm.serverConnectString);
});
afterAll(async () => {
  await Promise.all([curator.stop(), kazoo.stop()]);
});

type Service = () => Pick<Contenders<'semaphore'>, 'start' | 'acquire' | 'release' | 'end'>;
const services: readonly (readonly [string, Service])[] = [
  ['Curator', () => curator],
  ['kazoo', () => kazoo],
];

/** Runs `look` while a service holds a lease, and checks that the two leases of it are still to be had after that. */
async function whileHeld(service: Service, look: () => Promise<void>): Promise<void> {
  const names = ['one', 'two'] as const;
  for (const contender of names) {
    await service().start({ contender, recipe: 'semaphore', path: realm.chroot + path, maxLeases: 2 });
  }
  await service().acquire('one', 10_000);
  const before = await ephemerals(realm.observer);
  await look();
  expect(await ephemerals(realm.observer)).toEqual(before);
  await service().acquire('two', 10_000);
  for (const contender of names) {
    await service().release(contender);
    await service().end(contender);
  }
}

async function refusal(spec: LockSpec, at = path): Promise<WrongDialect> {
  const client = await realm.open();
  const error: unknown = await Promise.resolve()
    .then(() => createLock(client, at, spec).acquire({ timeoutMs: 0 }))
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WrongDialect);
  return error as WrongDialect;
}

describe.each(services)('L33 a path with a semaphore of %s that is held', (name, service) => {
  it('is no place for another kind of lock, which would exclude none', async () => {
    await whileHeld(service, async () => {
      for (const recipe of ['mutex', 'read', 'write'] as const) {
        expect((await refusal({ recipe })).fault).toMatchObject({ kind: 'semaphore', semaphore: path });
      }
    });
  });

  it('has parts that are no locks of their own', async () => {
    const part = name === 'kazoo' ? `${path}-__lock__` : `${path}/leases`;
    await whileHeld(service, async () => {
      for (const recipe of ['mutex', 'semaphore'] as const) {
        expect((await refusal({ recipe }, part)).fault).toMatchObject({ kind: 'semaphore', semaphore: path });
      }
    });
  });
});

it('L33 a lock in a dialect that was chosen is refused beside the leases of Curator too', async () => {
  await whileHeld(
    () => curator,
    async () => {
      for (const dialect of ['curator', 'kazoo'] as const) await refusal({ recipe: 'mutex', dialect });
    },
  );
});

it.each(['curator', 'kazoo'] as const)('L33 a semaphore is refused where a mutex of %s is held', async dialect => {
  const lease = await createLock(await realm.open(), path, { recipe: 'mutex', dialect }).acquire();
  const before = await realm.observer.ls(path);
  await refusal({ recipe: 'semaphore', maxLeases: 2 });
  expect(await realm.observer.ls(path)).toEqual(before);
  await lease.release();
});
