/** A session id as ZooKeeper's own logs write it: hexadecimal, unsigned, `0x100a5b...`. */
export function sessionText(session: bigint): string {
  return `0x${BigInt.asUintN(64, session).toString(16)}`;
}

/** A transaction id as ZooKeeper's own tools write it: hexadecimal, `0x100000a2b`. */
export function zxidText(zxid: bigint): string {
  return `0x${BigInt.asUintN(64, zxid).toString(16)}`;
}
