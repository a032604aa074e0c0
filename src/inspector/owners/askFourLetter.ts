import { once } from 'node:events';
import type { ServerAddress } from '../../zookeeper/connectString.ts';
import { openSocket, prepareTls, type TlsOptions } from '../../zookeeper/openSocket.ts';
import { collect, defaultMaxBytes, limited, type Answer, type AnswerLimits } from './limitedAnswer.ts';

/** The only words that are ever sent. */
export type FourLetterWord = 'cons' | 'dump' | 'wchp';

/**
 * Asks a server of the cluster for one of its plain reports, on the port that clients use.
 *
 * Never rejects: what went wrong is part of the answer.
 */
export function askFourLetter(
  server: ServerAddress,
  word: FourLetterWord,
  limits: AnswerLimits,
  tls?: TlsOptions,
): Promise<Answer> {
  return limited(limits, async signal => {
    const socket = openSocket(server, tls && prepareTls(tls));
    const end = (): void => void socket.destroy(new Error('It took too long.'));
    signal.addEventListener('abort', end);
    // Errors between the two waits below are told by the second.
    socket.on('error', () => undefined);
    try {
      await once(socket, tls === undefined ? 'connect' : 'secureConnect', { signal });
      socket.write(word);
      const text = await collect(socket, limits.maxBytes ?? defaultMaxBytes);
      return text === undefined ? { outcome: 'too-large', detail: '' } : read(text);
    } finally {
      signal.removeEventListener('abort', end);
      socket.destroy();
    }
  });
}

function read(text: string): Answer {
  if (text.includes('is not executed because it is not in the whitelist'))
    return { outcome: 'not-allowed', detail: '' };
  if (text.startsWith('This ZooKeeper instance is not currently serving requests')) {
    return { outcome: 'not-serving', detail: '' };
  }
  // Servers that do not know the word, and those that are no ZooKeeper, close the connection or send something else.
  return { outcome: 'ok', text };
}
