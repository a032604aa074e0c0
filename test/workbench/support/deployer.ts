import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Installs a second extension, *Deployer*, which depends on the first.
 *
 * @param extensionsDir of the VS Code that is about to start
 * @param titles of its commands: *Take Lock* has the id `deployer.take`
 * @param main its script, CommonJS
 */
export async function installDeployer(extensionsDir: string, titles: readonly string[], main: string): Promise<void> {
  const manifest = {
    publisher: 'example',
    name: 'deployer',
    displayName: 'Deployer',
    version: '1.0.0',
    engines: { vscode: '^1.101.0' },
    main: './main.js',
    extensionDependencies: ['zookeeper-lock-inspector.zookeeper-lock-inspector'],
    contributes: {
      commands: titles.map(title => ({
        command: `deployer.${title.split(' ')[0]!.toLowerCase()}`,
        title,
        category: 'Deployer',
      })),
    },
  };
  const folder = join(extensionsDir, 'example.deployer-1.0.0');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), main);
}
