import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { compareIncidents } from '../../../src/incident/compareIncidents.ts';
import type { Incident } from '../../../src/incident/incident.ts';
import { IncidentError } from '../../../src/incident/incidentError.ts';
import { openIncident } from '../../../src/incident/openIncident.ts';
import { linesOf } from '../../../src/incident/writeIncident.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { engine } from '../../support/engine.ts';
import { fuzzedIncident } from '../../support/fuzzedIncidents.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { draft } from '../../unit/incident/incidentUnderTest.ts';

const files = 10_000;
/** Of one file of 10 KB, ms, on a machine that is busy. */
const longest = 5_000;

/** Everything that is done with a file that was opened. */
async function use(incident: Incident, other: Incident): Promise<void> {
  const { recording, header } = incident;
  recording.holds();
  recording.waits();
  for (const instant of [{ zxid: recording.to.zxid }, { time: header.span.from.time }]) {
    const client = recording.at(instant);
    for (const { path } of recording.locks()) await readQueues(client, path);
  }
  compareIncidents(incident, other);
  await recording.close();
}

// No server takes part, so one engine is enough.
it.skipIf(engine() === 'sandbox')(
  `${String(files)} damaged files are opened, or refused in words, within their time`,
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fuzzed-'));
    const path = join(folder, 'fuzzed.zkincident');
    const lines: string[] = [];
    for await (const line of linesOf('x', draft())) lines.push(line);
    await writeFile(path, lines.map(line => `${line}\n`).join(''));
    const whole = await openIncident(path);
    const outcomes = new Set<string>();
    let slowest = 0;
    for (let seed = 0; seed < files; seed++) {
      await writeFile(path, fuzzedIncident(lines, seed, seededRandom(seed)));
      const begun = performance.now();
      try {
        const incident = await openIncident(path);
        outcomes.add(incident.problems.length > 0 ? 'opened, with problems' : 'opened');
        await use(incident, whole);
      } catch (error) {
        if (!(error instanceof IncidentError)) throw new Error(`seed ${String(seed)}`, { cause: error });
        outcomes.add(error.fault);
      }
      slowest = Math.max(slowest, performance.now() - begun);
    }
    await rm(folder, { recursive: true });
    expect(slowest).toBeLessThan(longest);
    // Every outcome that damage of a small file can have was seen.
    expect([...outcomes].sort()).toEqual(['empty', 'foreign', 'newer', 'opened', 'opened, with problems']);
  },
);
