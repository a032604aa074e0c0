/** Whether a host is whatever machine dials it: loopback, or the address that means every interface of it. */
export function isOwnMachine(host: string): boolean {
  const name = canonical(host);
  // IPv6 may carry an IPv4 address: ::ffff:127.0.0.1 is written ::ffff:7f00:1.
  return /^(?:(?:.+\.)?localhost\.?|(?:127|0)(?:\.\d+){3}|\[::1?\]|\[::ffff:(?:7f..|0):[^:]+\])$/.test(name);
}

/** Addresses have many spellings (`127.1`, `0:0:0:0:0:0:0:1`): as a URL has them. */
function canonical(host: string): string {
  try {
    return new URL(`http://${host.includes(':') ? `[${host}]` : host}`).hostname;
  } catch {
    // No address; a name as it is written.
    return host.toLowerCase();
  }
}
