// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HostMessage, PageMessage } from '../../../src/protocol.ts';
import { ChannelClosed, HostChannel } from '../../../webview/hostChannel.ts';
import { snapshotOf } from './snapshots.ts';
import { testTexts } from './testTexts.ts';

function opened() {
  const posted: PageMessage[] = [];
  const listener = { texts: vi.fn(), snapshot: vi.fn() };
  const window = new EventTarget();
  const channel = new HostChannel({ postMessage: message => posted.push(message as PageMessage) }, listener, window);
  const tell = (data: unknown): void => void window.dispatchEvent(new MessageEvent('message', { data }));
  return { posted, listener, channel, tell };
}

afterEach(() => vi.restoreAllMocks());

describe('the channel to the host', () => {
  it('gives each answer to the request it belongs to, in any order', async () => {
    const { channel, tell } = opened();
    const first = channel.ask({ kind: 'explain' });
    const second = channel.ask({ kind: 'findOwners' });
    tell({ type: 'outcome', request: 2, outcome: 'failed', text: 'no' } satisfies HostMessage);
    tell({ type: 'outcome', request: 1, outcome: 'done' } satisfies HostMessage);
    expect(await first).toEqual({ outcome: 'done' });
    expect(await second).toEqual({ outcome: 'failed', text: 'no' });
  });

  it('rejects what is pending when it is disposed, and what is asked afterwards', async () => {
    const { channel, tell, posted } = opened();
    const pending = channel.ask({ kind: 'explain' });
    channel.dispose();
    await expect(pending).rejects.toBeInstanceOf(ChannelClosed);
    await expect(channel.ask({ kind: 'explain' })).rejects.toBeInstanceOf(ChannelClosed);
    tell({ type: 'outcome', request: 1, outcome: 'done' });
    expect(posted).toHaveLength(1);
  });

  it('passes on each kind of message that the protocol has', () => {
    const { listener, tell } = opened();
    tell({ type: 'texts', texts: testTexts(), language: 'en' } satisfies HostMessage);
    tell({ type: 'snapshot', snapshot: snapshotOf([]) } satisfies HostMessage);
    expect(listener.texts).toHaveBeenCalledTimes(1);
    expect(listener.snapshot).toHaveBeenCalledTimes(1);
  });

  it.each([[undefined], [null], ['snapshot'], [{}], [{ type: 7 }], [{ type: 'later' }], [{ type: '__proto__' }]])(
    'leaves %j alone, and an answer that nobody waits for',
    data => {
      const { listener, tell } = opened();
      expect(() => tell(data)).not.toThrow();
      expect(() => tell({ type: 'outcome', request: 99, outcome: 'done' })).not.toThrow();
      expect(listener.texts).not.toHaveBeenCalled();
      expect(listener.snapshot).not.toHaveBeenCalled();
    },
  );

  it('numbers its requests, and says ready and view without one', () => {
    const { channel, posted } = opened();
    const view = { filter: '', tableFrom: 0, pictureCount: 50 };
    channel.ready(view);
    channel.show(view);
    channel.ask({ kind: 'explain' }).catch(() => undefined);
    expect(posted.map(({ type }) => type)).toEqual(['ready', 'view', 'intent']);
    channel.dispose();
  });
});
