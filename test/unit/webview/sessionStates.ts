import type { GraphEdge, GraphNode, SessionState, SessionTexts } from '../../../src/sessionProtocol.ts';

export const sessionTestTexts: SessionTexts = {
  reading: 'Looking at the locks that are loaded.',
  production: 'production',
  connect: 'Connect',
  open: 'Open again',
  askServers: 'Ask the servers',
  asking: 'Asking the servers',
  copySubject: 'Copy',
  copyEndings: 'Copy what frees',
  sessions: 'Sessions',
  places: 'Holds and waits',
  lock: 'Lock',
  role: 'Standing',
  since: 'Since',
  waitsFor: 'Waits for',
  session: 'Session',
  ifEnded: 'If it ended now',
  picture: 'Who waits for whom',
  pictureLabel: 'Sessions and locks: an arrow leads from who waits to the lock, and from the lock to who keeps it',
  pictureHint: 'Arrows lead to what is waited for. Enter opens the session or the queue.',
  facts: 'Session',
  watches: 'Watches',
  history: 'History',
  held: 'Held before',
  heldFrom: 'From',
  heldTo: 'To',
  ended: 'How it ended',
  showQueue: 'Show queue',
  showSession: 'Show session',
};

export const hostileName = '<script>alert(1)</script><img src=x onerror=alert(1)>';

function graphNode(key: string, kind: GraphNode['kind'], fields: Partial<GraphNode> = {}): GraphNode {
  return {
    key,
    kind,
    title: key,
    below: kind === 'lock' ? 'lock · waiting here: 2' : 'session 0x100a5b3c2d10000',
    label: `${key}, ${kind === 'lock' ? 'lock · waiting here: 2' : 'session 0x100a5b3c2d10000'}.`,
    isSubject: false,
    ...(kind === 'lock' ? { lock: { path: `/orders/${key}` } } : { subject: { session: '0x1' } }),
    ...fields,
  };
}

/** `worker-1` holds two locks; others wait for them, one of whom holds a third. */
export function chain(): SessionState['graph'] {
  const nodes = [
    graphNode('worker-1', 'session', { isSubject: true }),
    graphNode('payment', 'lock'),
    graphNode('invoice', 'lock'),
    graphNode('worker-2', 'session', { subject: { session: '0x2' } }),
    graphNode('worker-3', 'session', { subject: { session: '0x3' } }),
    graphNode('refund', 'lock'),
    graphNode('nightly', 'node', {
      subject: undefined,
      below: 'node without a session',
      label: 'nightly, node without a session.',
    }),
  ];
  const edges: GraphEdge[] = [
    { kind: 'holds', from: 'payment', to: 'worker-1' },
    { kind: 'holds', from: 'invoice', to: 'worker-1' },
    { kind: 'waits', from: 'worker-2', to: 'payment' },
    { kind: 'waits', from: 'worker-3', to: 'payment' },
    { kind: 'waits', from: 'worker-3', to: 'invoice' },
    { kind: 'holds', from: 'refund', to: 'worker-2' },
    { kind: 'waits', from: 'nightly', to: 'refund' },
  ];
  return { nodes, edges, note: '' };
}

/** Who all wait for one lock, `count` nodes together. */
export function fan(count: number): SessionState['graph'] {
  const waiters = Array.from({ length: count - 2 }, (_, at) => graphNode(`w${String(at)}`, 'session'));
  return {
    nodes: [graphNode('holder', 'session', { isSubject: true }), graphNode('lock', 'lock'), ...waiters],
    edges: [
      { kind: 'holds', from: 'lock', to: 'holder' },
      ...waiters.map(({ key }): GraphEdge => ({ kind: 'waits', from: key, to: 'lock' })),
    ],
    note: 'Only the nearest 200 sessions and locks are drawn.',
  };
}

export function liveState(fields: Partial<SessionState> = {}): SessionState {
  return {
    state: 'live',
    title: 'Session 0x100a5b3c2d10000',
    cluster: 'orders',
    isProduction: true,
    status: '',
    summary: 'holds 2 · waits for 1 · others that wait for it: 3',
    facts: [
      { name: 'Life', value: 'The session is alive. Asked: 12:00:00.' },
      { name: 'Address', value: '10.0.0.1:4000', subject: { address: '10.0.0.1' } },
      { name: 'Identifier', value: hostileName, subject: { identifier: hostileName } },
      { name: 'Session time-out', value: '10 s' },
    ],
    factNotes: ['The servers were asked: 12:00:00.'],
    canAsk: true,
    isAsking: false,
    places: {
      rows: [
        {
          name: 'payment',
          path: '/orders/payment',
          lock: { path: '/orders/payment' },
          isHolder: true,
          standing: 'holds · exclusive',
          since: 'held 5–64 s',
          waitsFor: '',
        },
        {
          name: hostileName,
          path: `/orders/${hostileName}`,
          isHolder: false,
          standing: 'waits · exclusive · place 2 of 2',
          since: 'waits 3 min',
          waitsFor: 'worker-3',
          ahead: { session: '0x3' },
        },
      ],
      more: '',
    },
    placesNote: 'Locks of this cluster that are not read: 2. It may have nodes in them.',
    endings: {
      rows: [
        {
          name: 'payment',
          path: '/orders/payment',
          lock: { path: '/orders/payment' },
          isHolder: true,
          text: 'Goes to worker-2.',
        },
        { name: 'refund', path: '/orders/refund', isHolder: false, text: 'Only its place in the queue goes.' },
      ],
      more: 'and 3 more',
    },
    endingNotes: ['Locks that lose a holder: 1. Locks that someone else gets: 1.'],
    graph: chain(),
    watches: {
      text: 'Watched nodes: 1. Asked: 12:00:00.',
      locks: { rows: [{ name: 'refund', path: '/orders/refund' }], more: '' },
    },
    history: {
      facts: [{ name: 'Opened', value: '5/6/2026 11:00:00.000' }],
      note: '',
      holds: {
        rows: [
          {
            name: 'invoice',
            path: '/orders/invoice',
            lock: { path: '/orders/invoice', lockName: 'x' },
            from: '5/6/2026 11:00:00.000',
            to: '5/6/2026 11:00:04.000',
            ended: 'released by its own session',
          },
        ],
        more: '',
      },
    },
    ...fields,
  };
}
