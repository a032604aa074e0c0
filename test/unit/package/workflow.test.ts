import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { 'timeout-minutes'?: number; permissions?: unknown; steps: Step[] }>;
}

const text = readFileSync('.github/workflows/ci.yml', 'utf8');
const workflow = parse(text) as Workflow;
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([, job]) => job.steps);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('the workflow', () => {
  it('runs what .ci/run runs', () => {
    expect(workflow.jobs['everything']?.steps.map(({ run }) => run)).toContain('.ci/run');
    expect(readFileSync('.ci/run', 'utf8')).toContain('npm test');
  });

  it.each(['.github/workflows/ci.yml', 'CONTRIBUTING.md'])('and %s call scripts that exist', file => {
    const called = [...readFileSync(file, 'utf8').matchAll(/npm run ([\w:]+)/g)].map(match => match[1]!);
    expect(called).toContain('test:unit');
    for (const name of called) expect(Object.keys(scripts)).toContain(name);
  });

  it('checks all types elsewhere too but those of the workbench tests, whose packages come with Debian only', () => {
    const { references } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { references: { path: string }[] };
    const projects = references.map(({ path }) => path.slice('./'.length));
    const types = workflow.jobs['other-systems']?.steps.find(({ run }) => run?.startsWith('npm run types'))?.run;
    expect(types?.match(/tsconfig\S+/g)).toEqual(projects.filter(project => project !== 'tsconfig.workbench.json'));
  });

  it('may read the repository and nothing more, and ends', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [name, job] of jobs) {
      expect(job.permissions, name).toBeUndefined();
      expect(job['timeout-minutes'], name).toBeLessThanOrEqual(60);
    }
    expect(text).not.toMatch(/secrets\.|pull_request_target/);
  });

  it('uses only actions of GitHub itself, of a fixed major version', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used).not.toHaveLength(0);
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/);
  });
});
