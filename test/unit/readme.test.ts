import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
  contributes: {
    commands: { command: string; title: string }[];
    configuration: { properties: Record<string, { default: unknown }> };
  };
};
const nls = JSON.parse(read('package.nls.json')) as Record<string, string>;

/** The part of the page below a heading, up to the next one. */
function section(title: string): string {
  const [, text] = readme.split(`\n## ${title}\n`);
  if (text === undefined) throw new Error(`The README has no part "${title}".`);
  return text.split('\n## ')[0]!;
}

/** The cells of the table in a part of the page, without its heading. */
function tableOf(title: string): string[][] {
  const lines = section(title)
    .split('\n')
    .filter(line => line.startsWith('|'));
  return lines.slice(2).map(line =>
    line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim()),
  );
}

/** Commands that a reader of these pages would type into a shell. */
function shellCommands(page: string): string[] {
  const text = read(page);
  const blocks = [...text.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block]) => block!.split('\n'));
  const inline = [...text.replaceAll(/```[^`]*```/g, '').matchAll(/`([^`]+)`/g)].map(match => match[1]!);
  return [...blocks, ...inline]
    .map(line => line.replace(/\s+#.*$/, '').trim())
    .filter(line => /^(?:npm|npx|node|code|\.ci\/run)\s/.test(`${line} `) && !/^node$|^npm$|^code$/.test(line));
}

/** Who runs a command, or the script behind it: a file, and what stands in it. */
const runners: readonly { command: RegExp; file: string; proof: string }[] = [
  { command: /^npm start( -- --browser)?$/, file: 'test/workbench/start.workbench.test.ts', proof: 'scripts/start.ts' },
  { command: /^\.ci\/run$/, file: '.github/workflows/ci.yml', proof: 'run: .ci/run' },
  { command: /^npm test$/, file: '.ci/run', proof: 'npm test' },
  { command: /^npm run build( -- --watch)?$/, file: '.github/workflows/ci.yml', proof: 'npm run build' },
  { command: /^npm run types$/, file: '.github/workflows/ci.yml', proof: 'npm run types' },
  { command: /^npm run lint$/, file: 'scripts/test.ts', proof: "tool('eslint', ['.', '--max-warnings', '0'])" },
  { command: /^npm run format$/, file: 'scripts/test.ts', proof: "tool('prettier', ['--check'" },
  { command: /^npm run l10n$/, file: 'test/unit/l10n.test.ts', proof: "from '../../scripts/l10n/" },
  { command: /^npm run test:unit( -- [\w/]+)?$/, file: '.github/workflows/ci.yml', proof: 'npm run test:unit' },
  {
    command: /^npm run test:integration( -- \w+)?$/,
    file: '.github/workflows/ci.yml',
    proof: 'npm run test:integration',
  },
  { command: /^npm run test:sandbox( -- \w+)?$/, file: 'scripts/test.ts', proof: "vitest('sandbox'" },
  { command: /^npm run test:workbench( -- \w+)?$/, file: 'scripts/test.ts', proof: "vitest('workbench')" },
  {
    command: /^npm run test:chaos -- --runs \d+ --seed \d+$/,
    file: 'test/integration/recipes/chaos.integration.test.ts',
    proof: 'chaos/',
  },
  {
    command: /^npm run test:differential -- --programs \d+ --seed \d+$/,
    file: 'test/integration/sandbox/differential.integration.test.ts',
    proof: 'runCampaign',
  },
  { command: /^npm run bench(:\w+)?$/, file: 'test/integration/bench.integration.test.ts', proof: 'runBench' },
  { command: /^npm run package$/, file: '.github/workflows/ci.yml', proof: 'npm run package' },
  {
    command: /^code --install-extension out\/\S+\.vsix$/,
    file: 'scripts/vscode/codeServer.ts',
    proof: '--install-extension',
  },
];

/** For releases only, by hand: they need the network or an account, so that no test can run them. */
const byHand = [/^npm audit --omit=dev$/, /^npm install --package-lock-only$/, /^npx vsce publish /];

/** Takes tens of minutes, so no test runs it. Lint and types look at its script. */
const tooLong = /^npm run test:mutation$/;

describe('shell commands', () => {
  it.each(['README.md', 'CONTRIBUTING.md'])('of %s are run by a test or by CI, and their scripts exist', page => {
    const commands = shellCommands(page);
    expect(commands).toContain('npm test');
    for (const command of commands.filter(each => !byHand.some(one => one.test(each)))) {
      const name = /^npm run ([\w:]+)/.exec(command)?.[1] ?? /^npm (start|test)\b/.exec(command)?.[1];
      if (name !== undefined) expect(Object.keys(manifest.scripts), command).toContain(name);
      if (tooLong.test(command)) continue;
      const runner = runners.find(one => one.command.test(command));
      expect(runner, `"${command}" is run by no test`).toBeDefined();
      expect(read(runner!.file), command).toContain(runner!.proof);
    }
  });

  it('are run by hand only for a release', () => {
    const [before, releasing] = read('CONTRIBUTING.md').split('\n## Releasing\n');
    for (const command of byHand) {
      const isIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].some(match => command.test(match[1]!));
      expect(isIn(releasing), command.source).toBe(true);
      // The page names the audit where it says which packages it covers.
      if (!command.test('npm audit --omit=dev')) expect(isIn(before), command.source).toBe(false);
    }
  });

  it('name the package as it is made', () => {
    expect(readme).toContain(`out/zookeeper-lock-inspector-${manifest.version}.vsix`);
  });
});

describe('the settings table', () => {
  it('has every setting with its default', () => {
    const { properties } = manifest.contributes.configuration;
    const rows = tableOf('Settings').map(([name, preset]) => [name, preset]);
    expect(rows).toEqual(
      Object.entries(properties).map(([name, setting]) => [`\`${name}\``, `\`${JSON.stringify(setting.default)}\``]),
    );
  });
});

describe('troubleshooting', () => {
  const sources = readdirSync(new URL('src/extension', root), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => read(`src/extension/${file.replaceAll('\\', '/')}`));
  const literals = sources.flatMap(text =>
    [...text.matchAll(/(['"])((?:(?!\1)[^\\\n]|\\.)*)\1/g)].map(match => match[2]!),
  );

  it('quotes texts that the extension shows', () => {
    const quoted = tableOf('Troubleshooting').map(([says]) => /^"(.+)"$/.exec(says!)?.[1] ?? 'no quotation');
    expect(quoted.length).toBeGreaterThan(15);
    for (const text of quoted) {
      // An ellipsis stands for what differs each time.
      const isSaid = literals.some(literal => literal.replaceAll(/\{\d\}/g, '…').includes(text));
      expect(isSaid, text).toBe(true);
    }
  });
});

describe('what the page names', () => {
  const titles = manifest.contributes.commands.map(({ title }) => nls[title.slice(1, -1)]!.replace('…', ''));

  it('are commands that exist', () => {
    const recipes = tableOf('Recipes').map(([command]) => /^\*(.+)\*$/.exec(command!)?.[1]);
    expect(recipes).toHaveLength(6);
    for (const command of recipes) expect(titles).toContain(command);
    for (const command of ['Add Cluster', 'Open Lock by Path', 'Show Queue', 'Explain Deadlocks', 'Show Audit List']) {
      expect(readme).toContain(`*${command}*`);
      expect(titles).toContain(command);
    }
  });

  it('are files that exist', () => {
    const targets = [...readme.matchAll(/\]\((?!https:)([^)#\s]+)\)/g)].map(match => match[1]!);
    expect(targets).toContain('media/screenshots/overview.png');
    for (const target of targets) expect(existsSync(new URL(target, root)), target).toBe(true);
  });
});
