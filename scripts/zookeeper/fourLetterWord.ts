import { connect } from 'node:net';

/**
 * Asks a server for one of its plain TCP reports (`srvr`, `mntr`, `cons`, ...).
 *
 * @param timeoutMs for the whole exchange
 * @returns what the server sent before it closed the connection
 * @throws Error when there is no connection or no end of the reply within `timeoutMs`
 */
export function fourLetterWord(host: string, port: number, word: string, timeoutMs = 10_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host, port });
    const timer = setTimeout(() => {
      socket.destroy(new Error(`${host}:${port} did not finish its answer to "${word}" within ${timeoutMs} ms.`));
    }, timeoutMs);
    socket.on('connect', () => socket.write(word));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

/** Whether the server serves requests: alone, or as a member of a quorum. */
export async function isServing(host: string, port: number): Promise<boolean> {
  try {
    return /^Mode: /m.test(await fourLetterWord(host, port, 'srvr', 1_000));
  } catch {
    // Not listening yet, or stopped: the caller asks again until its deadline.
    return false;
  }
}
