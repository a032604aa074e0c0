import { expect } from 'vitest';

/** Latin letters that are right in a Chinese text: names of ours and of ZooKeeper, addresses, ids. */
const latin = [
  // The identifier of this window: user and host.
  /\S+@\S+ \(VS Code\)/gu,
  /0x[0-9a-f]+/giu,
  /\S*…\S*|_c_[0-9a-f-]+-\S*/gu,
  /(?:\/[\w.-]+)+/gu,
  /\b(?:127\.0\.0\.1|localhost)(?::\d+)?\b/gu,
  /\bzk1:2181,zk2:2181\b/gu,
  /\b(?:worker|reader|writer)-\w+(?:\.example)?\b/gu,
  /\b(?:ZooKeeper|Curator|kazoo|czxid|mzxid|pzxid|ACL|TLS|SASL|AdminServer|VS Code|Enter|Ctrl\+C|[Ww]atch|JSON|CSV|ID|Esc)\b/gu,
  /\b(?:go-zookeeper|WriteLock|DistributedLock\.NET|zk-ruby|aiozk|C)\b/gu,
  // What servers call the last operation of a session: a holder's is a ping, the proof by a quorum that follows it, or a reading.
  /\b(?:PING|MULT|MLTR|GETD|GETC|EXIS|SESS|CREA|CRE2|DELE|SYNC)\b/gu,
  /订单|支付|失联|\b(?:invoice|report|pay)\b/gu,
  // The services of blockedServices.ts, and their locks.
  /\b(?:billing|checkout|mailing|pricing|search|ledger|refunds|orders|stock|mail|tax|east|west)\b/gu,
];

/** What is left of the words of another language once all that may stand there is taken away. */
export function foreignWords(text: string): string[] {
  const rest = latin.reduce((left, pattern) => left.replaceAll(pattern, ' '), text);
  return rest.match(/[A-Za-z]{2,}(?: [A-Za-z]+)*|\{\d\}|undefined|\[object/gu) ?? [];
}

/** Fails for a text without Chinese, or with words of another language. */
export function expectChinese(text: string): void {
  expect(text).toMatch(/\p{Script=Han}/u);
  expect({ text, foreign: foreignWords(text) }).toEqual({ text, foreign: [] });
}
