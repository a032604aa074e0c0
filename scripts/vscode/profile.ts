import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../build/bundle.ts';

/** Folders of a VS Code that touches nothing of the person's own set-up. */
export interface Profile {
  userDataDir: string;
  extensionsDir: string;
  /** The folder that VS Code opens. */
  workspace: string;
}

export type Settings = Record<string, unknown>;

/** Nothing in the way: no welcome page, no chat, no experiments, nothing that asks the network. */
const quietSettings: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  // By its present name: under a former one VS Code writes the settings itself, whatever is done with them at that moment.
  'workbench.colorTheme': 'Dark Modern',
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.enabled': false,
  // code-server would forward, and announce, the ports of every server on this machine.
  'remote.autoForwardPorts': false,
};

/** What a packaged extension consists of; .vscodeignore is more exact. */
const shipped =
  /^(?:package\.json|package\.nls.*\.json|language-configuration\.json|dist|l10n|media|samples|syntaxes|README\.md|CHANGELOG\.md|LICENSE)$/;

function settingsFile(profile: Profile): string {
  return join(profile.userDataDir, 'User', 'settings.json');
}

/** @param settings wins over the quiet defaults */
export async function createProfile(folder: string, settings: Settings = {}): Promise<Profile> {
  const profile: Profile = {
    userDataDir: join(folder, 'user-data'),
    extensionsDir: join(folder, 'extensions'),
    workspace: join(folder, 'workspace'),
  };
  await Promise.all(
    [join(profile.userDataDir, 'User'), profile.extensionsDir, profile.workspace].map(path =>
      mkdir(path, { recursive: true }),
    ),
  );
  await writeFile(settingsFile(profile), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
  return profile;
}

/** Adds to or replaces user settings; a running VS Code sees it at once. */
export async function changeSettings(profile: Profile, settings: Settings): Promise<void> {
  await writeFile(settingsFile(profile), await changedSettings(profile, settings));
}

/** The text of the settings file with these changes. */
export async function changedSettings(profile: Profile, settings: Settings): Promise<string> {
  const present = JSON.parse(await readFile(settingsFile(profile), 'utf8')) as Settings;
  return JSON.stringify({ ...present, ...settings }, null, 2);
}

/** Puts the built extension into the profile, unpacked, as an installed one. */
export async function installExtension(profile: Profile): Promise<void> {
  const manifest = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as Record<string, string>;
  const target = join(
    profile.extensionsDir,
    `${manifest['publisher'] ?? ''}.${manifest['name'] ?? ''}-${manifest['version'] ?? ''}`,
  );
  await mkdir(target, { recursive: true });
  const present = (await readdir(repositoryRoot)).filter(name => shipped.test(name));
  await Promise.all(present.map(name => cp(join(repositoryRoot, name), join(target, name), { recursive: true })));
}
