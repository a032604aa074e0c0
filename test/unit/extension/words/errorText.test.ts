import { describe, expect, it } from 'vitest';
import { NoClusterError } from '../../../../src/app/clusters/clusterErrors.ts';
import { ErrorReporter } from '../../../../src/extension/platform/errorReporting.ts';
import { errorSentence, errorText } from '../../../../src/extension/words/errorText.ts';
import { LockTimeout, NodeLeftBehind } from '../../../../src/recipes/errors.ts';
import type { ConnectFailure } from '../../../../src/zookeeper/connectFailure.ts';
import {
  CancelledError,
  ConnectError,
  ConnectStringError,
  NotConnectedError,
  OutcomeUnknownError,
  ReplyLostError,
  ReplyTooLargeError,
  SessionLostError,
  ZooKeeperError,
} from '../../../../src/zookeeper/errors.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { hostileTexts, linkPattern, unseenPattern } from '../corpus.ts';
import { shown } from '../fakeVscode.ts';

const failures: ConnectFailure[] = [
  'dns', 'refused', 'unreachable', 'timeout', 'not-zookeeper', 'tls', 'closed', 'read-only', 'behind',
]; // prettier-ignore

function connectError(...kinds: ConnectFailure[]): ConnectError {
  const causes = kinds.map((failure, index) => {
    const server = { host: `zk${String(index)}`, port: 2181, detail: 'why' };
    if (failure === 'tls') return { ...server, failure, reason: 'other' as const };
    return failure === 'closed' ? { ...server, failure, reason: 'mute' as const } : { ...server, failure };
  });
  return new ConnectError(causes, 1000);
}

describe('error texts', () => {
  it('tell the connect failures apart and say what to do', () => {
    const texts = failures.map(failure => errorText(connectError(failure)));
    expect(new Set(texts.map(({ what }) => what)).size).toBe(failures.length);
    for (const { next } of texts) expect(next).not.toBe('');
  });

  it('give the cause of every server', () => {
    const { what } = errorText(connectError('dns', 'refused'));
    expect(what).toBe('zk0:2181: the host name is not known. zk1:2181: nothing listens on this port.');
  });

  it('name the path and the code that the server gave', () => {
    expect(errorSentence(new ZooKeeperError(-102, 'getChildren', '/a'))).toContain('no permission to read /a');
    expect(errorSentence(new ZooKeeperError(-101, 'getData', '/a'))).toContain('/a does not exist');
    expect(errorSentence(new ZooKeeperError(-999, 'getData', '/a'))).toContain('CODE_-999');
  });

  it('tell that a node is still in the queue, where, and why', () => {
    const cause = new ZooKeeperError(-102, 'remove', '/a/x-1');
    const { what, next } = errorText(new NodeLeftBehind(new LockTimeout('/a', 5), [{ path: '/a/x-1', cause }]));
    expect(what).toBe(
      '/a was not acquired in time. Its node is still in the queue: /a/x-1. You have no permission to delete it.',
    );
    expect(next).toContain('disconnect');
  });

  it('are safe whatever the error holds', () => {
    for (const text of hostileTexts) {
      const errors = [
        new ZooKeeperError(-101, 'getData', text),
        new ZooKeeperError(-4, 'getData', text),
        new ConnectError([{ host: text, port: 1, failure: 'tls', reason: 'wrong-host', detail: text }], 1),
        new ConnectStringError('host', text, text),
        new OutcomeUnknownError('create', text, text),
        new NotConnectedError('getData', text, text),
        new ReplyLostError('getData', text, text),
        new ReplyTooLargeError('getData', text, 5),
        new SessionLostError({ kind: 'expired', server: text }),
        new Error(text),
        text,
      ];
      for (const error of errors) {
        expect(errorSentence(error)).not.toMatch(linkPattern);
        expect(errorSentence(error)).not.toMatch(unseenPattern);
      }
    }
  });
});

describe('ErrorReporter', () => {
  it('shows a failure and is silent about a cancellation', () => {
    const reporter = new ErrorReporter(nullLogger);
    reporter.report(new CancelledError('x'));
    expect(shown).toEqual([]);
    reporter.report(new SessionLostError({ kind: 'closed' }));
    expect(shown).toEqual(['The session is lost. Connect again.']);
  });

  it('offers the way on where a command needs a cluster and there is none', () => {
    new ErrorReporter(nullLogger).report(new NoClusterError());
    expect(shown.slice(-1)).toEqual(['There is no cluster yet. Add the ZooKeeper that your locks are in.']);
  });
});
