/** Error codes of replies and error transactions (KeeperException.java). */
export const ErrorCode = {
  ok: 0,
  runtimeInconsistency: -2,
  marshallingError: -5,
  unimplemented: -6,
  badArguments: -8,
  noNode: -101,
  noAuth: -102,
  badVersion: -103,
  noChildrenForEphemerals: -108,
  nodeExists: -110,
  notEmpty: -111,
  invalidAcl: -114,
  authFailed: -115,
  noWatcher: -121,
  reconfigDisabled: -123,
} as const;
