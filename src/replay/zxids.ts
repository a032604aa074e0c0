/** Lower half of a zxid: it counts the transactions of an epoch (ZxidUtils.java). */
const counterBits = 32n;

/**
 * Whether a transaction follows another one without any between them. Within an epoch zxids are consecutive, refused requests
 * included; with a new leader a new epoch begins at 1.
 */
export function isNext(before: bigint, zxid: bigint): boolean {
  return zxid === before + 1n || (zxid >> counterBits > before >> counterBits && isFirstOfEpoch(zxid));
}

/** Whether it is the first transaction that the ensemble ever had, so that nothing was there before. */
export function isFirstOfAll(zxid: bigint): boolean {
  return isFirstOfEpoch(zxid) && zxid >> counterBits <= 1n;
}

function isFirstOfEpoch(zxid: bigint): boolean {
  return BigInt.asUintN(Number(counterBits), zxid) === 1n;
}
