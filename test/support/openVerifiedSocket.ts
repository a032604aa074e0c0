/** Dials `localhost:<port>` by TLS with the machine's authorities, and prints `verified` or the code of the error. */
import { openSocket, prepareTls } from '../../src/zookeeper/openSocket.ts';

const socket = openSocket({ host: 'localhost', port: Number(process.argv[2]) }, prepareTls({}));
const end = (outcome: string): void => {
  process.stdout.write(outcome);
  socket.destroy();
};
socket.on('secureConnect', () => end('verified'));
socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
