import { expect, it } from 'vitest';
import { bundledSources, bundledSteps } from '../../../scripts/build/bundle.ts';

/** What only a click on *Try a Sandbox* needs: not the row of its cluster, nor the words of its one error. */
const ofSandbox = (path: string): boolean =>
  /^src\/(?:(?:sandbox|dataTree)\/(?!sandboxPortError\.ts$)|app\/sandbox\/(?!sandboxCluster\.ts$))/.test(path);

/** What only *Open Transaction Logs* needs: not the list of what is open, nor the words of its errors. */
const ofRecordings = (path: string): boolean =>
  /^src\/(?:replay\/(?!storedDataError\.ts$)|app\/recordings\/(?!(?:openRecordings|logFolderError)\.ts$))/.test(path);

/** What only an open scenario needs. */
const ofScenarios = (path: string): boolean =>
  /^src\/(?:scenario\/|extension\/scenarios\/(?!register)|extension\/words\/scenario)/.test(path);

it(
  'activation loads nothing of the sandbox, of recordings and of scenarios, which are shipped',
  { timeout: 60_000 },
  async () => {
    const [shipped, { start }] = await Promise.all([bundledSources(), bundledSteps()]);
    const atStart = start.sources;
    expect(atStart).toContain('src/extension/extension.ts');
    expect(shipped.filter(ofSandbox)).toEqual(
      expect.arrayContaining([
        'src/app/sandbox/runSandbox.ts',
        'src/dataTree/dataTree.ts',
        'src/sandbox/server.ts',
        'src/sandbox/startSandbox.ts',
      ]),
    );
    expect(atStart.filter(ofSandbox)).toEqual([]);
    expect(shipped.filter(ofRecordings)).toEqual(
      expect.arrayContaining(['src/app/recordings/movingTime.ts', 'src/replay/openLogs.ts']),
    );
    expect(atStart.filter(ofRecordings)).toEqual([]);
    expect(shipped.filter(ofScenarios)).toEqual(
      expect.arrayContaining(['src/scenario/expectedAt.ts', 'src/extension/scenarios/startLanguage.ts']),
    );
    expect(atStart.filter(ofScenarios)).toEqual([]);
  },
);

it(
  'each step loads an entry and one part at most, and nothing is cut into more files',
  { timeout: 60_000 },
  async () => {
    for (const { files } of Object.values(await bundledSteps())) expect(files).toBeLessThanOrEqual(2);
  },
);

/** What only commands, panels, the recorder and open files need. */
const ofCommands = (path: string): boolean =>
  /^src\/(?:incident|journal|replay|scenario|recipes|app\/(?:panel|incidents|recorder|recordings|scenarios|deletes|diagnosis)|extension\/(?:commands|dialogs|panel|scenarios))\//.test(
    path,
  );

it(
  'a first connection loads session, inspector and Blockers, but no panel, recorder, scenario or incident file',
  { timeout: 60_000 },
  async () => {
    const { firstLook, onDemand } = await bundledSteps();
    expect(firstLook.sources).toEqual(
      expect.arrayContaining([
        'src/app/clusters/queueMarks.ts',
        'src/extension/views/blockersView.ts',
        'src/inspector/findLocks.ts',
        'src/inspector/watchQueues.ts',
        'src/zookeeper/session.ts',
      ]),
    );
    expect(firstLook.sources.filter(ofCommands)).toEqual([]);
    expect(onDemand.sources.filter(ofCommands)).toEqual(
      expect.arrayContaining(['src/app/recorder/recorder.ts', 'src/extension/commands/panelCommands.ts']),
    );
  },
);
