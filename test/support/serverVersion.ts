import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';

/** @returns the version of the server at a port, as `3.9.5` */
export async function serverVersion(port: number): Promise<string> {
  const answer = await fourLetterWord('127.0.0.1', port, 'srvr');
  const version = /^Zookeeper version: (\d+\.\d+\.\d+)/m.exec(answer)?.[1];
  if (version === undefined) throw new Error(`The server did not say its version: ${answer}`);
  return version;
}
