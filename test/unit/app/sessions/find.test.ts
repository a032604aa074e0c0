import { describe, expect, it } from 'vitest';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { FindIndex, mostFound, type Found } from '../../../../src/app/sessions/find.ts';
import { sessionsIn } from '../../../../src/app/sessions/sessionInput.ts';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { sessionText } from '../../../../src/base/sessionText.ts';
import { clusterNode, contender, lockNode, profileNamed, queueOf } from '../../extension/fixtures.ts';

const id = 0x100a5b2f0000abn;

function cluster(name: string, fields: Partial<ClusterNode> = {}): ClusterNode {
  return clusterNode({ id: name, profile: profileNamed(name), ...fields });
}

/** Two locks of the session, and one of another. */
function orders(): ClusterNode {
  const node = cluster('orders', {
    lastOwners: {
      connections: new Map([[id, { address: '10.1.2.3:50123', server: 'zk1:2181' }]]),
      live: undefined,
      sources: [],
      askedAt: 0,
    },
  });
  for (const [path, role] of [
    ['/locks/orders', 'holder'],
    ['/locks/Payments', 'waiter'],
  ] as const) {
    const mine = contender('n1', { path: `${path}/n1`, ownerSession: id, identifier: 'Web-7', role });
    const other = contender('n2', { path: `${path}/n2`, ownerSession: 0x200n, identifier: 'batch' });
    lockNode(queueOf([mine, other], { path }), node, path);
  }
  return node;
}

function find(query: string, ...clusters: ClusterNode[]): Found[] {
  return atOnce(FindIndex.of(clusters)).find(query);
}

/** What was found, in short. */
function shown(found: readonly Found[]): string[] {
  return found.map(each => {
    if (each.kind === 'lock') return `${each.cluster.id} ${each.lock.path}`;
    if (each.kind === 'session') return `${each.cluster.id} ${sessionText(each.session)} ${each.holds}+${each.waits}`;
    return `${each.cluster.id} ${each.kind === 'address' ? each.address : each.identifier}`;
  });
}

describe('what was typed', () => {
  it.each([
    ['0x100a5b2f0000ab'],
    ['0X100A5B2F0000AB'],
    ['  0x100a5b2f0000ab\t'],
    [String(id)],
    ['2026-05-06 12:00:00 INFO Session establishment complete, sessionid = 0x100a5b2f0000ab, timeout = 10000'],
    ['WARN sessionid:0x100a5b2f0000ab type:create cxid:0x5 zxid:0xfffffffffffffffe txntype:unknown'],
    ['Closed session: 0x100a5b2f0000ab'],
    [`kazoo.client: Zookeeper connection established, session_id ${String(id)}`],
    ['EventThread shut down for 0x100a5b2f0000ab.'.replace('.', '')],
  ])('leads to the session of "%s"', typed => {
    expect(sessionsIn(typed)).toEqual([id]);
    expect(shown(find(typed, orders()))[0]).toBe('orders 0x100a5b2f0000ab 1+1');
  });

  it('may be a signed or an unsigned number', () => {
    expect(sessionsIn('-8070450532247928832')).toEqual([-8070450532247928832n]);
    expect(sessionsIn('10376293541461622784')).toEqual([-8070450532247928832n]);
    expect(sessionsIn('0x9000000000000000')).toEqual([-8070450532247928832n]);
  });

  it.each([
    [''],
    ['0x0'],
    ['12'],
    ['99999999999999999999'],
    ['0x12345678901234567'],
    ['lock-0000000001'],
    ['a'.repeat(1e6)],
  ])('is no session: %#', typed => {
    expect(sessionsIn(typed)).toEqual([]);
  });

  it('leads to a session on each cluster, even where no lock that was read has a node of it, but that last', () => {
    expect(shown(find('0xabc', orders(), cluster('users')))).toEqual(['orders 0xabc 0+0', 'users 0xabc 0+0']);
    const found = find(sessionText(id), cluster('users'), orders());
    expect(shown(found)).toEqual(['orders 0x100a5b2f0000ab 1+1', 'users 0x100a5b2f0000ab 0+0']);
  });
});

describe('find', () => {
  it('finds locks, identifiers and addresses in any case, what is called so first', () => {
    expect(shown(find('ORDERS', orders()))).toEqual(['orders /locks/orders']);
    expect(shown(find('payment', orders()))).toEqual(['orders /locks/Payments']);
    expect(shown(find('web-7', orders()))).toEqual(['orders Web-7']);
    expect(shown(find('10.1.2.3', orders()))).toEqual(['orders 10.1.2.3', 'orders 0x100a5b2f0000ab 1+1']);
    expect(shown(find('10.1.2.3:50123', orders()))).toEqual(['orders 0x100a5b2f0000ab 1+1']);
    expect(find('nothing of that', orders())).toEqual([]);
  });

  it('finds a text with a path to a full name as called so, and takes an empty path for what it is', () => {
    const node = cluster('c');
    for (const path of ['/', '/locks', '/locks/x']) lockNode(queueOf([], { path }), node, path);
    expect(shown(find('/locks', node))).toEqual(['c /locks', 'c /locks/x']);
    expect(shown(find('/', node))).toHaveLength(3);
    expect(shown(find('/locks/x', node))).toEqual(['c /locks/x']);
  });

  it('finds what is behind names that are longer in lower case', () => {
    const node = cluster('c');
    for (const path of ['/\u0130\u0130\u0130', '/b', '/locks/\u0130zmir']) lockNode(queueOf([], { path }), node, path);
    expect(shown(find('/b', node))).toEqual(['c /b']);
    expect(shown(find('\u0130zm', node))).toEqual(['c /locks/\u0130zmir']);
  });

  it('puts beginnings before parts', () => {
    const node = cluster('c');
    for (const path of ['/a/my-job', '/a/job-2', '/a/job']) lockNode(queueOf([], { path }), node, path);
    expect(shown(find('job', node))).toEqual(['c /a/job', 'c /a/job-2', 'c /a/my-job']);
  });

  it('counts a lock with two rows once, and shows locks first without a query', () => {
    const node = orders();
    const [first] = [...node.locks.values()];
    lockNode(first!.queue, node, '/locks/again');
    expect(shown(find(sessionText(id), node))[0]).toBe('orders 0x100a5b2f0000ab 1+1');
    expect(find('', node)[0]?.kind).toBe('lock');
  });

  it('says nothing of the queue of another moment', () => {
    const node = orders();
    for (const lock of node.locks.values()) lock.isBehind = true;
    expect(shown(find(sessionText(id), node))).toEqual(['orders 0x100a5b2f0000ab 0+0']);
  });

  it('finds clients alone: sessions, identifiers and addresses, but no lock, however many have the text', () => {
    const node = orders();
    for (let at = 0; at < 2 * mostFound; at++) {
      const path = `/l/web-${String(at).padStart(3, '0')}`;
      lockNode(queueOf([], { path }), node, path);
    }
    const index = atOnce(FindIndex.of([node]));
    expect(shown(index.find('web'))).not.toContain('orders Web-7');
    expect(shown(index.findClients('web'))).toEqual(['orders Web-7']);
    expect(shown(index.findClients('10.1.2'))).toEqual(['orders 10.1.2.3', 'orders 0x100a5b2f0000ab 1+1']);
    expect(shown(index.findClients('session 0xabc was lost'))).toEqual(['orders 0xabc 0+0']);
    expect(index.findClients('/l/')).toEqual([]);
  });

  it('finds the sessions that hold most, and then those that wait most, while nothing is typed for a client', () => {
    const node = cluster('c');
    const places: [bigint, 'holder' | 'waiter', number][] = [
      [1n, 'waiter', 9],
      [2n, 'holder', 1],
      [3n, 'holder', 2],
      [4n, 'holder', 2],
      [4n, 'waiter', 1],
      [0n, 'holder', 9],
    ];
    for (const [ownerSession, role, count] of places) {
      for (let at = 0; at < count; at++) {
        const path = `/l/${role}-${String(ownerSession)}-${String(at)}`;
        lockNode(queueOf([contender('n', { path: `${path}/n`, role, ownerSession })], { path }), node, path);
      }
    }
    // More than are shown, before those that hold more.
    const other = cluster('d');
    for (let at = 0; at < 3 * mostFound; at++) {
      const path = `/l/w-${String(at)}`;
      lockNode(
        queueOf([contender('n', { path: `${path}/n`, ownerSession: 100n + BigInt(at) })], { path }),
        other,
        path,
      );
    }
    lockNode(
      queueOf([contender('n', { path: '/l/n', role: 'holder', ownerSession: 5n })], { path: '/l' }),
      other,
      '/l',
    );
    const found = atOnce(FindIndex.of([other, node])).findClients(' ');
    expect(found).toHaveLength(mostFound);
    expect(shown(found.slice(0, 6))).toEqual([
      'c 0x4 2+1',
      'c 0x3 2+0',
      'd 0x5 1+0',
      'c 0x2 1+0',
      'c 0x1 0+9',
      'd 0x64 0+1',
    ]);
  });

  it('answers 100,000 contenders with every key', () => {
    const node = cluster('large');
    for (let lock = 0; lock < 1_000; lock++) {
      const path = `/locks/service-${String(lock)}`;
      const contenders = Array.from({ length: 100 }, (_, at) => {
        const name = `${path}/n${String(at)}`;
        const ownerSession = BigInt(lock * 100 + at + 1);
        return contender(`n${String(at)}`, {
          path: name,
          ownerSession,
          identifier: `client-${String(lock)}-${String(at)}`,
        });
      });
      lockNode(queueOf(contenders, { path }), node, path);
    }
    const index = atOnce(FindIndex.of([node]));
    const fastest = (find: () => unknown) => {
      const spans = [1, 2, 3].map(() => {
        const begun = performance.now();
        find();
        return performance.now() - begun;
      });
      return Math.min(...spans);
    };
    for (const query of ['', 'c', 'client-9', 'client-999-99', '0x1', 'nothing']) {
      // Asked for are 100 ms; where other tests run, each may have to wait.
      expect(fastest(() => index.find(query))).toBeLessThan(100);
      expect(fastest(() => index.findClients(query))).toBeLessThan(100);
    }
    expect(index.find('c')).toHaveLength(mostFound);
  }, 30_000);
});
