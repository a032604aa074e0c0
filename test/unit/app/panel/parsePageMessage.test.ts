import { describe, expect, it } from 'vitest';
import { parsePageMessage } from '../../../../src/app/panel/parsePageMessage.ts';
import { filterLimit, pictureLimit } from '../../../../src/protocol.ts';

const view = { filter: '', tableFrom: 0, pictureCount: 50 };
const sort = { column: 'who', descending: true };

function intent(fields: object): object {
  return { type: 'intent', intent: fields };
}

const inherited: unknown = Object.create({ type: 'ready', view });

describe('parsePageMessage', () => {
  it.each([
    { type: 'ready', view },
    { type: 'view', view: { ...view, sort, tableFrom: 9_950, pictureCount: pictureLimit } },
    { type: 'view', view: { ...view, filter: 'x'.repeat(filterLimit) } },
    intent({ kind: 'copy', name: 'a', czxid: '1', part: 'row' }),
    intent({ kind: 'copy', name: 'a', czxid: '0', part: 'path' }),
    intent({ kind: 'copy', name: 'a', czxid: '-9223372036854775808', part: 'czxid' }),
    intent({ kind: 'showNodeData', name: '__proto__', czxid: '9223372036854775807' }),
    intent({ kind: 'forceDelete', name: '<img src=x>', czxid: '4294967297' }),
    intent({ kind: 'showLock', name: 'a', czxid: '7' }),
    intent({ kind: 'showSession', name: 'a', czxid: '7' }),
    intent({ kind: 'findOwners' }),
    intent({ kind: 'pauseHistory', paused: false }),
    intent({ kind: 'clearHistory' }),
    intent({ kind: 'saveHistory', format: 'csv' }),
    intent({ kind: 'reconnect' }),
    intent({ kind: 'explain' }),
    { type: 'view', view: { ...view, timeline: { from: -1, to: 1_795_262_400_000.5 } } },
    intent({ kind: 'explainPast' }),
    intent({ kind: 'moveTo', to: { time: -5 } }),
    intent({ kind: 'moveTo', to: { zxid: '0xffffffffffffffff' } }),
    intent({ kind: 'step', what: 'session end', direction: -1 }),
    intent({ kind: 'play', speed: 1_000 }),
    intent({ kind: 'pause' }),
    intent({ kind: 'follow', isWanted: true }),
  ])('takes %j as it is', message => {
    expect(parsePageMessage(message)).toEqual(message);
  });

  it('passes nothing on that it does not know', () => {
    const message = {
      type: 'intent',
      more: 1,
      intent: { kind: 'forceDelete', name: 'a', czxid: '1', path: '/zookeeper' },
    };
    expect(parsePageMessage(message)).toEqual({
      type: 'intent',
      intent: { kind: 'forceDelete', name: 'a', czxid: '1' },
    });
    expect(parsePageMessage({ type: 'view', view: { ...view, command: 'x' } })).toEqual({ type: 'view', view });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'ready'],
    ['a list', [{ type: 'ready', view }]],
    ['no type', { view }],
    ['another type', { type: 'command', command: 'workbench.action.quit' }],
    ['a type of the host', { type: 'snapshot', snapshot: {} }],
    ['inherited fields', inherited],
    ['no view', { type: 'ready' }],
    ['a view that is a list', { type: 'view', view: [] }],
    ['no filter', { type: 'view', view: { tableFrom: 0, pictureCount: 50 } }],
    ['a filter that is no text', { type: 'view', view: { ...view, filter: 5 } }],
    ['a filter that is too long', { type: 'view', view: { ...view, filter: 'x'.repeat(filterLimit + 1) } }],
    ['a negative row', { type: 'view', view: { ...view, tableFrom: -1 } }],
    ['a broken row', { type: 'view', view: { ...view, tableFrom: 0.5 } }],
    ['no number', { type: 'view', view: { ...view, tableFrom: Number.NaN } }],
    ['an endless number', { type: 'view', view: { ...view, tableFrom: Number.POSITIVE_INFINITY } }],
    ['a number as text', { type: 'view', view: { ...view, tableFrom: '0' } }],
    ['too large a picture', { type: 'view', view: { ...view, pictureCount: pictureLimit + 1 } }],
    ['a sort by no column', { type: 'view', view: { ...view, sort: { column: 'name', descending: true } } }],
    ['a sort by a prototype', { type: 'view', view: { ...view, sort: { column: 'constructor', descending: true } } }],
    ['a sort without direction', { type: 'view', view: { ...view, sort: { column: 'who' } } }],
    ['a sort that is null', { type: 'view', view: { ...view, sort: null } }],
    ['no intent', { type: 'intent' }],
    ['another kind', intent({ kind: 'setData', name: 'a', czxid: '1' })],
    ['a kind of a prototype', intent({ kind: 'toString' })],
    ['no name', intent({ kind: 'forceDelete', czxid: '1' })],
    ['an empty name', intent({ kind: 'showNodeData', name: '', czxid: '1' })],
    ['a name that is too long', intent({ kind: 'forceDelete', name: 'x'.repeat(5_000), czxid: '1' })],
    ['a name that is no text', intent({ kind: 'forceDelete', name: { toString: 'a' }, czxid: '1' })],
    ['no node of a step', intent({ kind: 'showLock', path: '/locks/b' })],
    ['no czxid', intent({ kind: 'forceDelete', name: 'a' })],
    ['a czxid that is a number', intent({ kind: 'forceDelete', name: 'a', czxid: 1 })],
    ['an empty czxid', intent({ kind: 'copy', name: 'a', czxid: '', part: 'row' })],
    ['a czxid that is no number', intent({ kind: 'showNodeData', name: 'a', czxid: '1n' })],
    ['a hexadecimal czxid', intent({ kind: 'forceDelete', name: 'a', czxid: '0x1' })],
    ['a czxid of several lines', intent({ kind: 'forceDelete', name: 'a', czxid: '1\n' })],
    ['an endless czxid', intent({ kind: 'forceDelete', name: 'a', czxid: '9'.repeat(5_000) })],
    ['another part', intent({ kind: 'copy', name: 'a', czxid: '1', part: 'data' })],
    ['no part', intent({ kind: 'copy', name: 'a', czxid: '1' })],
    ['a pause that is no boolean', intent({ kind: 'pauseHistory', paused: 1 })],
    ['another format', intent({ kind: 'saveHistory', format: 'html' })],
    ['a format that is a path', intent({ kind: 'saveHistory', format: '../json' })],
    ['a part of the time without an end', { type: 'view', view: { ...view, timeline: { from: 1 } } }],
    ['an endless part of the time', { type: 'view', view: { ...view, timeline: { from: 1, to: Infinity } } }],
    ['a move to nowhere', intent({ kind: 'moveTo', to: {} })],
    ['a move to two places', intent({ kind: 'moveTo', to: { time: 1, zxid: '0x1' } })],
    ['a time that no date can be', intent({ kind: 'moveTo', to: { time: 9e15 } })],
    ['a zxid that is too long', intent({ kind: 'moveTo', to: { zxid: '0x11111111111111111' } })],
    ['a zxid that is no number', intent({ kind: 'moveTo', to: { zxid: '0xzz' } })],
    ['a zxid in decimal', intent({ kind: 'moveTo', to: { zxid: '12' } })],
    ['a step of two', intent({ kind: 'step', what: 'hand-over', direction: 2 })],
    ['a step to something else', intent({ kind: 'step', what: 'end', direction: 1 })],
    ['another speed', intent({ kind: 'play', speed: 1e9 })],
    ['a follow that is no boolean', intent({ kind: 'follow', isWanted: 'yes' })],
  ])('drops %s', (_what, message) => {
    expect(parsePageMessage(message)).toBeUndefined();
  });
});
