import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  colorIds,
  commandIds,
  contextKeys,
  contextValues,
  editorTypes,
  panelTypes,
  scenarioFiles,
  settingKeys,
  viewContainerId,
  viewIds,
} from '../../../../src/extension/platform/contributions.ts';
import { incidentEnding } from '../../../../src/incident/incidentLimits.ts';
import { entryLimits, longestInputs, readInput } from '../../../../src/app/assistant/toolInput.ts';
import { toolNames, type ToolKind } from '../../../../src/app/assistant/toolName.ts';
import { settingDefaults } from '../../../../src/extension/platform/settings.ts';

interface Menu {
  command?: string;
  submenu?: string;
  when?: string;
  group?: string;
}

interface Setting {
  type: string;
  default: unknown;
  scope: string;
  description?: string;
  markdownDescription?: string;
}

interface Manifest {
  activationEvents: string[];
  extensionKind: string[];
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    viewsContainers: { activitybar: { id: string; icon: string }[] };
    customEditors: { viewType: string; priority: string; selector: { filenamePattern: string }[] }[];
    views: Record<string, { id: string; icon: string; when?: string }[]>;
    walkthroughs: { steps: { completionEvents: string[] }[] }[];
    viewsWelcome: { view: string; contents: string; when: string }[];
    commands: { command: string; title: string; category: string; icon?: string; enablement?: string }[];
    submenus: { id: string; label: string }[];
    menus: Record<string, Menu[]>;
    keybindings: { command: string; key: string; mac: string; when: string }[];
    configuration: { properties: Record<string, Setting> };
    colors: { id: string; defaults: Record<string, string> }[];
    languageModelTools: {
      name: string;
      toolReferenceName: string;
      displayName: string;
      userDescription: string;
      modelDescription: string;
      canBeReferencedInPrompt: boolean;
      when: string;
      inputSchema: { properties: Record<string, { type: string; maxLength?: number; maximum?: number }> };
    }[];
  };
}

const root = new URL('../../../../', import.meta.url);
const text = readFileSync(new URL('package.json', root), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const nls = JSON.parse(readFileSync(new URL('package.nls.json', root), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const commands: string[] = Object.values(commandIds);
const menus = Object.entries(contributes.menus).flatMap(([place, entries]) =>
  entries.map(entry => ({ place, ...entry })),
);
const clauses = [
  ...menus.map(menu => menu.when ?? ''),
  ...contributes.commands.map(command => command.enablement ?? ''),
  ...contributes.keybindings.map(binding => binding.when),
  ...contributes.viewsWelcome.map(welcome => welcome.when),
  ...Object.values(contributes.views).flatMap(views => views.map(view => view.when ?? '')),
];

/** Whether a `viewItem` condition of a clause fits a context value. */
function fits(clause: string, value: string): boolean {
  const regex = /viewItem =~ \/(.+)\/(?: |$)/.exec(clause)?.[1];
  if (regex !== undefined) return new RegExp(regex).test(value);
  return /viewItem == (\S+)/.exec(clause)?.[1] === value;
}

describe('package.json', () => {
  it('declares exactly the commands of the table, with category, title and safe icons', () => {
    expect(contributes.commands.map(({ command }) => command).sort()).toEqual([...commands].sort());
    for (const { command, category, title, icon } of contributes.commands) {
      expect(category, command).toBe('%category%');
      expect(title, command).toMatch(/^%command\./);
      if (icon !== undefined) expect(icon, command).toMatch(/^\$\([a-z-]+\)$/);
    }
  });

  it('declares the views, the container and the colours of the table', () => {
    expect(contributes.viewsContainers.activitybar.map(({ id }) => id)).toEqual([viewContainerId]);
    const views = contributes.views[viewContainerId] ?? [];
    expect(views.map(({ id }) => id)).toEqual(Object.values(viewIds));
    for (const { icon } of [...views, ...contributes.viewsContainers.activitybar]) {
      expect(existsSync(new URL(icon, root))).toBe(true);
    }
    expect(contributes.colors.map(({ id }) => id)).toEqual(Object.values(colorIds));
    for (const { defaults } of contributes.colors) {
      expect(Object.keys(defaults).sort()).toEqual(['dark', 'highContrast', 'highContrastLight', 'light']);
      // VS Code has none for these in high contrast.
      const { highContrast, highContrastLight } = defaults;
      expect([highContrast, highContrastLight].join()).not.toMatch(/list\.(?:error|warning)Foreground/);
    }
  });

  it('edits incident files and no others', () => {
    expect(contributes.customEditors.map(({ viewType, priority, selector }) => [viewType, priority, selector])).toEqual(
      [[editorTypes.incident, 'default', [{ filenamePattern: `*${incidentEnding}` }]]],
    );
  });

  it('declares the settings of the table with their defaults, in a scope that no repository can reach', () => {
    const { properties } = contributes.configuration;
    expect(Object.keys(properties)).toEqual(Object.values(settingKeys));
    for (const [name, key] of Object.entries(settingKeys)) {
      const setting = properties[key]!;
      expect(setting.default, key).toEqual(settingDefaults[name as keyof typeof settingKeys]);
      expect(setting.type, key).toBe(Array.isArray(setting.default) ? 'array' : typeof setting.default);
      expect(setting.scope, key).toBe('application');
      expect(setting.description ?? setting.markdownDescription, key).toMatch(/^%setting\./);
    }
  });

  it('stays silent before it is used and in an untrusted workspace', () => {
    // Besides its views and commands: a panel or a report that comes back connects nothing either.
    expect(manifest.activationEvents).toEqual([
      `onWebviewPanel:${panelTypes.queue}`,
      'onFileSystem:zookeeper-locks-text',
      `onWebviewPanel:${panelTypes.session}`,
      // The Test Explorer lists what extensions that run have; files are read when it is opened.
      `workspaceContains:${scenarioFiles}`,
    ]);
    // What is on without being asked for does nothing by itself: the tools for language models wait for a call, and that is confirmed.
    const isOn = Object.entries(settingDefaults).filter(([, value]) => typeof value === 'boolean' && value);
    expect(isOn.map(([name]) => name)).toEqual(['toolsEnabled']);
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.sort()).toEqual(
      Object.values(settingKeys).sort(),
    );
    expect(manifest.extensionKind).toEqual(['workspace', 'ui']);
  });

  it('declares the tools for language models that are registered, with the limits of what they take', () => {
    const tools = contributes.languageModelTools;
    expect(tools.map(({ name }) => name)).toEqual(Object.values(toolNames));
    expect(new Set(tools.map(({ toolReferenceName }) => toolReferenceName)).size).toBe(tools.length);
    for (const tool of tools) {
      const { name, displayName, userDescription, modelDescription, when, canBeReferencedInPrompt } = tool;
      const kind = name.replace('zookeeperLocks_', '') as ToolKind;
      expect([name, tool.toolReferenceName].join(' ')).toMatch(/^[\w-]+ zookeeper\w+$/);
      expect([displayName, userDescription]).toEqual([`%tool.${kind}.name%`, `%tool.${kind}.description%`]);
      for (const key of [displayName, userDescription]) expect(nls[key.slice(1, -1)], key).toBeDefined();
      expect(modelDescription).toMatch(/Read-only\./);
      expect([when, canBeReferencedInPrompt]).toEqual([`config.${settingKeys.toolsEnabled}`, true]);
      for (const [field, { type, maxLength, maximum }] of Object.entries(tool.inputSchema.properties)) {
        if (type === 'string') expect(maxLength, field).toBe(longestInputs[field as keyof typeof longestInputs]);
        else expect([field, maximum]).toEqual(['limit', entryLimits[kind as keyof typeof entryLimits].most]);
        // What the schema names is looked at.
        expect(readInput(kind, { path: '/a', session: '0x1', [field]: {} }), field).toBeInstanceOf(Array);
      }
    }
  });

  it('names only known commands, views and context keys in menus and clauses', () => {
    const views = [...Object.values(viewIds), ...Object.values(panelTypes), ...Object.values(editorTypes)];
    const known: string[] = [...commands, ...views, ...Object.values(contextKeys)];
    const submenus = contributes.submenus.map(({ id }) => id);
    for (const { command } of contributes.keybindings) expect(commands).toContain(command);
    for (const { command, submenu } of menus) {
      if (submenu === undefined) expect(commands).toContain(command);
      else expect(submenus).toContain(submenu);
    }
    for (const id of submenus) expect(Object.keys(contributes.menus)).toContain(id);
    for (const clause of clauses) {
      for (const [id] of clause.matchAll(/zookeeperLocks\.\w+/g)) expect(known).toContain(id);
    }
    for (const { contents } of contributes.viewsWelcome) {
      const linked = [...nls[contents.slice(1, -1)]!.matchAll(/\(command:([^)]+)\)/g)].map(match => match[1]);
      expect(commands).toEqual(expect.arrayContaining(linked));
      expect(linked).not.toHaveLength(0);
    }
  });

  it('uses every context key and every context value', () => {
    const events = contributes.walkthroughs.flatMap(({ steps }) => steps.flatMap(step => step.completionEvents));
    const uses = [...clauses, ...events].join('\n');
    for (const key of Object.values(contextKeys)) expect(uses).toContain(key);
    const itemClauses = menus.filter(menu => menu.place === 'view/item/context').map(menu => menu.when ?? '');
    // A row of the Blockers view that stands for no session and no lock has no menu.
    const { blockerOther, ...offering } = contextValues;
    expect(itemClauses.some(clause => fits(clause, blockerOther))).toBe(false);
    for (const value of Object.values(offering)) {
      expect(
        itemClauses.some(clause => fits(clause, value)),
        value,
      ).toBe(true);
    }
    for (const clause of itemClauses) {
      expect(
        Object.values(contextValues).some(value => fits(clause, value)),
        clause,
      ).toBe(true);
    }
  });

  it('offers each command where it works', () => {
    const on = (value: string): string[] =>
      contributes.menus['view/item/context']!.filter(menu => fits(menu.when ?? '', value))
        .filter(menu => menu.group?.startsWith('inline') !== true)
        .map(menu => (menu.command ?? menu.submenu ?? '').replace(/^.*\./, ''));
    const isSaved = new Set(['editCluster', 'removeCluster']);
    const copies = ['copyPath', 'copyName', 'copySessionId'];
    const offered = (value: string): string[] => on(value).filter(command => copies.includes(command));
    for (const command of ['connect', 'findLocks', 'openLock', 'editCluster', 'removeCluster']) {
      expect(on(contextValues.clusterClosed)).toContain(command);
    }
    expect(on(contextValues.clusterClosed)).not.toContain('disconnect');
    expect(on(contextValues.clusterOpen)).toContain('disconnect');
    expect(on(contextValues.clusterOpen)).not.toContain('connect');
    expect(offered(contextValues.clusterOpen)).toEqual(['copyName']);
    expect(offered(contextValues.holderWithSession)).toEqual(copies);
    expect(offered(contextValues.waiter)).toEqual(['copyPath', 'copyName']);
    expect(offered(contextValues.stranger)).toEqual(['copyPath', 'copyName']);
    expect(on(contextValues.lock)).toContain('acquire');
    expect(on(contextValues.clusterClosed)).not.toContain('acquire');
    const { holder, waiterWithSession, lock, clusterOpen, stranger, hazard } = contextValues;
    for (const value of [holder, waiterWithSession]) expect(on(value)).toContain('forceDelete');
    for (const value of [lock, clusterOpen, stranger, hazard]) expect(on(value)).not.toContain('forceDelete');
    for (const value of [lock, clusterOpen]) expect(on(value)).toContain('deleteStale');
    // Of what is read-only there is everything but what writes.
    for (const [name, value] of Object.entries(contextValues)) {
      if (!name.endsWith('ReadOnly')) continue;
      const writable = on(value.replace('.readOnly', ''));
      const reading = writable.filter(command => !['acquire', 'forceDelete', 'deleteStale'].includes(command));
      expect(reading.length, value).toBeLessThan(writable.length);
      expect(on(value), value).toEqual(reading);
    }
    // The sandbox is a cluster like the others, but in no setting.
    for (const [sandbox, cluster] of [
      [contextValues.sandboxOpen, contextValues.clusterOpen],
      [contextValues.sandboxClosed, contextValues.clusterClosed],
    ] as const) {
      expect(on(cluster)).not.toContain('stopSandbox');
      expect(on(sandbox).filter(command => command !== 'stopSandbox')).toEqual(
        on(cluster).filter(command => !isSaved.has(command)),
      );
      expect(on(sandbox)).toContain('stopSandbox');
      for (const value of [sandbox, cluster]) expect(on(value)).toContain('copyConnectString');
    }
    expect(on(holder)).not.toContain('showOwner');
    expect(on(waiterWithSession)).toContain('showOwner');
    const common = ['revealTestLock', 'copyTestLockPath'];
    // Only what may still have its session leads to it.
    const session = (command: string): boolean => command === 'showSession';
    const { testLockTimed, testLockHeld, testLockWaiting, testLockReleasing } = contextValues;
    for (const value of [testLockTimed, testLockHeld, testLockWaiting, testLockReleasing]) {
      expect(on(value).filter(session)).toHaveLength(1);
    }
    const others = (value: string): string[] => on(value).filter(command => !session(command));
    expect(others(testLockTimed)).toEqual(['releaseTestLock', 'keepLonger', ...common, 'copyFencingToken']);
    expect(on(testLockHeld)).not.toContain('keepLonger');
    expect(others(testLockWaiting)).toEqual(['cancelWait', ...common]);
    expect(on(contextValues.testLockLost)).toEqual(['dismissTestLock', ...common, 'copyFencingToken']);
    const { testLockStuck } = contextValues;
    expect(others(testLockStuck)).toEqual(['releaseTestLock', 'dismissTestLock', ...common, 'copyFencingToken']);
  });

  it('offers in the palette and in the title what can be done', () => {
    const { hasOpenCluster, allOpen, holdsTestLocks, waitsForTestLocks, hasTimedTestLocks } = contextKeys;
    const palette = new Map(contributes.menus['commandPalette']!.map(menu => [menu.command, menu.when]));
    const anyCluster = `(config.${settingKeys.clusters} != '[]' || ${contextKeys.hasSandbox})`;
    const active = `${holdsTestLocks} || ${waitsForTestLocks}`;
    expect(palette.get(commandIds.connect)).toBe(`${anyCluster} && !${allOpen} && isWorkspaceTrusted`);
    expect(palette.get(commandIds.disconnect)).toBe(hasOpenCluster);
    expect(palette.get(commandIds.releaseTestLock)).toBe(holdsTestLocks);
    expect(palette.get(commandIds.releaseAllTestLocks)).toBe(active);
    expect(palette.get(commandIds.keepLonger)).toBe(hasTimedTestLocks);
    expect(palette.get(commandIds.cancelWait)).toBe(waitsForTestLocks);
    const title = contributes.menus['view/title']!.find(({ command }) => command === commandIds.releaseAllTestLocks);
    expect(title?.when).toBe(`view == ${viewIds.testLocks} && (${active})`);
    const { enablement } = contributes.commands.find(({ command }) => command === commandIds.releaseAllTestLocks)!;
    expect(enablement).toBe(active);
  });

  it('offers in the palette what needs a cluster before anything of the extension runs', () => {
    const clauses = contributes.menus['commandPalette']!.map(({ when }) => when ?? '');
    expect(clauses.filter(clause => clause.includes(settingKeys.clusters)).length).toBeGreaterThan(10);
    // This key is unknown until the view was opened.
    expect(clauses.filter(clause => clause.includes(contextKeys.hasClusters))).toEqual([]);
  });

  it('offers on rows of the Blockers view only what is about the session or lock that they name', () => {
    const on = (value: string): string[] =>
      contributes.menus['view/item/context']!.filter(menu => fits(menu.when ?? '', value))
        .filter(({ when }) => when?.includes(viewIds.blockers))
        .map(({ command }) => command ?? '');
    const { showSession, showQueue, showMoreBlockers } = commandIds;
    const { blockerSession, blockerSessionLock, blockerLock, blockerMore, blockerOther } = contextValues;
    expect(new Set(on(blockerSession))).toEqual(new Set([showSession]));
    expect(new Set(on(blockerSessionLock))).toEqual(new Set([showSession, showQueue]));
    expect(on(blockerLock)).toEqual([showQueue]);
    expect(on(blockerMore)).toEqual([showMoreBlockers]);
    expect(on(blockerOther)).toEqual([]);
    const [, , view] = contributes.views[viewContainerId] ?? [];
    expect(view).toMatchObject({ id: viewIds.blockers, when: contextKeys.showsBlockers });
  });

  it('hides from the palette what needs a row', () => {
    const hidden = contributes.menus['commandPalette']!.filter(menu => menu.when === 'false').map(menu => menu.command);
    const { retry, showMore, showMoreBlockers, copyPath, copyName, copySessionId } = commandIds;
    const needRows = [retry, showMore, showMoreBlockers, copyPath, copyName, copySessionId];
    for (const command of needRows) expect(hidden).toContain(command);
  });

  it('takes every text from package.nls.json, which holds no others', () => {
    const used = [...text.matchAll(/"%([\w.]+)%"/g)].map(match => match[1]!);
    expect([...new Set(used)].sort()).toEqual(Object.keys(nls).sort());
  });
});
