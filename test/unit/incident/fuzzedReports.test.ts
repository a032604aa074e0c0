import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chatMarkdown } from '../../../src/base/chatMarkdown.ts';
import { markdownReport } from '../../../src/base/markdownReport.ts';
import { comparisonReport } from '../../../src/extension/words/comparisonText.ts';
import { incidentReport, incidentSummary } from '../../../src/extension/words/incidentText.ts';
import { compareIncidents } from '../../../src/incident/compareIncidents.ts';
import { IncidentError } from '../../../src/incident/incidentError.ts';
import { openIncident } from '../../../src/incident/openIncident.ts';
import { linesOf } from '../../../src/incident/writeIncident.ts';
import { fuzzedIncident } from '../../support/fuzzedIncidents.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { draft, useFolder } from './incidentUnderTest.ts';

const folder = useFolder();
/** test/integration/incident opens 10,000. */
const files = 300;

it('whatever is in a damaged file, reports are made of it', { timeout: 60_000 }, async () => {
  const lines: string[] = [];
  for await (const line of linesOf('x', draft())) lines.push(line);
  const path = join(folder.path, 'fuzzed.zkincident');
  let opened = 0;
  for (let seed = 0; seed < files; seed++) {
    await writeFile(path, fuzzedIncident(lines, seed, seededRandom(seed)));
    try {
      const incident = await openIncident(path);
      const { header, facts, problems } = incident;
      markdownReport(incidentReport(header, facts, problems));
      markdownReport(comparisonReport(compareIncidents(incident, { header, facts: draft().facts })));
      chatMarkdown(incidentSummary(header, facts));
      await incident.recording.close();
      opened++;
    } catch (error) {
      if (!(error instanceof IncidentError)) throw new Error(`seed ${String(seed)}`, { cause: error });
    }
  }
  expect(opened).toBeGreaterThan(files / 3);
});
