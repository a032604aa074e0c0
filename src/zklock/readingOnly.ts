import { FactError } from '../base/factError.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';

/** A command that only reads has tried to write: a fault of this program. Nothing was sent. */
class WriteRefused extends FactError {
  constructor(path: string) {
    super('WriteRefused', path);
  }
}

/**
 * The same session without its writes: those of it that are not named here do not exist for who gets the result. `confirmByQuorum`
 * writes too, so it is one of those that are refused.
 *
 * @param session closed by its owner; `close` of the result does nothing
 */
export function readingOnly(session: ZooKeeperClient): ZooKeeperClient {
  const refuse = (path: string): Promise<never> => Promise.reject(new WriteRefused(path));
  return {
    get sessionId() {
      return session.sessionId;
    },
    get sessionTimeoutMs() {
      return session.sessionTimeoutMs;
    },
    get state() {
      return session.state;
    },
    get lastContactAt() {
      return session.lastContactAt;
    },
    get server() {
      return session.server;
    },
    onState: listener => session.onState(listener),
    exists: (path, options) => session.exists(path, options),
    getData: (path, options) => session.getData(path, options),
    getChildren: (path, options) => session.getChildren(path, options),
    getAcl: path => session.getAcl(path),
    whoAmI: () => session.whoAmI(),
    sync: path => session.sync(path),
    readMany: (reads, options) => session.readMany(reads, options),
    watchTree: (path, listener, options) => session.watchTree(path, listener, options),
    confirmByQuorum: () => {
      throw new WriteRefused('/');
    },
    create: refuse,
    setData: refuse,
    remove: refuse,
    close: () => Promise.resolve(),
  };
}
