import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, expect, it, onTestFailed } from 'vitest';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { findProgram } from '../../scripts/system/run.ts';
import { eventually } from '../support/eventually.ts';
import { openChromium } from './support/chromium.ts';
import { openPage, PageDriver } from './support/pageDriver.ts';

let program: ChildProcess | undefined;
let browser: Browser | undefined;

afterAll(async () => {
  await browser?.close();
  program?.kill('SIGTERM');
});

/** As on a machine with nothing but Node: no Java, no Docker, no apt-get, and no server that a variable names. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const bare = { ...process.env, PATH: join(repositoryRoot, 'node_modules/node/bin') };
  for (const name of ['ZOOKEEPER_CONNECT', 'ZOOKEEPER_HOME', 'JAVA_HOME']) Reflect.deleteProperty(bare, name);
  return bare;
}

/** Runs what `npm start` runs, and collects its lines. */
function runStart(): { lines: string[]; ended: Promise<unknown[]> } {
  const args = [join(repositoryRoot, 'scripts/bootstrap.mjs'), 'scripts/start.ts', '--browser'];
  const env = bareEnvironment();
  for (const name of ['java', 'docker', 'apt-get']) expect(findProgram(name, env), name).toBeUndefined();
  program = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const lines: string[] = [];
  createInterface({ input: program.stdout! }).on('line', line => lines.push(line));
  return { lines, ended: once(program, 'exit') };
}

async function valueOf(lines: readonly string[], label: string, timeoutMs: number): Promise<string> {
  return eventually(() => {
    const line = lines.find(one => one.startsWith(label));
    if (line === undefined) throw new Error(`No line "${label}" yet, but:\n${lines.join('\n')}`);
    return line.slice(label.length).trim().split(' ')[0]!;
  }, timeoutMs);
}

it(
  'npm start shows living demo locks without Java, Docker and root, and Ctrl-C leaves nothing behind',
  { timeout: 300_000 },
  async () => {
    const { lines, ended } = runStart();
    onTestFailed(() => {
      process.stderr.write(lines.join('\n'));
    });
    const folder = await valueOf(lines, 'Temporary files:', 30_000);
    const url = await valueOf(lines, 'Ready:', 90_000);
    const server = await valueOf(lines, 'ZooKeeper:', 1_000);

    browser = await openChromium();
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    await openPage(page, url);
    const driver = new PageDriver(page);
    await driver.openContainer('ZooKeeper Locks');
    const clusters = driver.tree('Clusters');
    await clusters.expand('Demo');
    const lock = '/demo/shop/checkout';
    await clusters.waitForRow(lock, 30_000);
    await clusters.expand(lock);
    const firstHolder = await clusters.firstChildOf(lock);
    await driver.screenshot('npm-start');
    await eventually(async () => {
      expect((await clusters.firstChildOf(lock)).ariaLabel).not.toBe(firstHolder.ariaLabel);
    }, 20_000);

    program!.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(folder)).toBe(false);
    await expect(fetch(url)).rejects.toThrow();
    await expect(fetch(`http://${server}/`)).rejects.toThrow();
  },
);
