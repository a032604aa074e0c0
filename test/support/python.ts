import { spawnSync } from 'node:child_process';

/** The system's own Python comes first: Debian's kazoo is installed for that one only. */
const candidates = ['/usr/bin/python3', 'python3'];

/** @returns a Python that has kazoo @throws Error when there is none */
export function python(): string {
  const found = candidates.find(
    candidate => spawnSync(candidate, ['-c', 'import kazoo'], { stdio: 'ignore' }).status === 0,
  );
  if (found === undefined) throw new Error('These tests need Python with kazoo. Run npm test, which installs it.');
  return found;
}
