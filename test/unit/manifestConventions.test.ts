import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextKeys, contextValues, settingKeys, viewIds } from '../../src/extension/platform/contributions.ts';

interface Entry {
  command?: string;
  submenu?: string;
  when?: string;
  group?: string;
}

interface Setting {
  type?: string;
  description?: string;
  markdownDescription?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Setting>;
  items?: Setting;
}

interface Manifest {
  icon: string;
  galleryBanner: { color: string; theme: string };
  categories: string[];
  keywords: string[];
  pricing: string;
  qna: boolean;
  main: string;
  engines: { vscode: string };
  repository?: unknown;
  bugs?: unknown;
  homepage?: unknown;
  devDependencies: Record<string, string>;
  capabilities: { virtualWorkspaces: boolean; untrustedWorkspaces: { description: string } };
  contributes: {
    commands: { command: string; title: string; enablement?: string }[];
    menus: Record<string, Entry[]>;
    keybindings: Entry[];
    viewsWelcome: { when: string }[];
    configuration: { properties: Record<string, Setting> };
    languageModelTools: { when: string }[];
  };
}

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const nls = JSON.parse(read('package.nls.json')) as Record<string, string>;
const { commands, menus, keybindings, viewsWelcome, configuration } = manifest.contributes;

const paletteClauses = new Map((menus['commandPalette'] ?? []).map(({ command, when }) => [command!, when!]));
const visibleIn = (id: string) => (paletteClauses.get(id) ?? '') !== 'false';
const rowEntries = menus['view/item/context'] ?? [];
const isInline = ({ group }: Entry) => group?.startsWith('inline') === true;
const short = (id: string) => id.replace('zookeeperLocks.', '');

/** VS Code's own context keys that clauses may ask for. */
const builtInKeys = [
  'resourceExtname',
  'resourceLangId',
  'view',
  'viewItem',
  'focusedView',
  'listFocus',
  'inputFocus',
  'isWorkspaceTrusted',
  'workspaceFolderCount',
  'activeWebviewPanelId',
  'activeCustomEditorId',
  'resourceScheme',
  'explorerResourceIsFolder',
];

/** The names that a clause asks for; what they are compared with does not count. */
function keysOf(clause: string): string[] {
  const bare = clause.replaceAll(/(?:==|!=|=~)\s*(?:\/(?:[^/\\]|\\.)+\/i?|'[^']*'|[\w.-]+)/g, '');
  return [...bare.matchAll(/[A-Za-z][\w.]*/g)].map(([key]) => key).filter(key => key !== 'false' && key !== 'true');
}

/** Context values that a row clause fits. */
function rowsOf({ when = '' }: Entry): string[] {
  const regex = /viewItem =~ \/(.+)\/(?: |$)/.exec(when)?.[1];
  const exact = /viewItem == (\S+)/.exec(when)?.[1];
  return Object.values(contextValues).filter(value =>
    regex === undefined ? value === exact : new RegExp(regex).test(value),
  );
}

describe('the palette', () => {
  it('shows without a condition only what always works', () => {
    const always = commands.filter(({ command }) => !paletteClauses.has(command)).map(({ command }) => short(command));
    expect(always.sort()).toEqual([
      'addCluster',
      'importClusters',
      'openSampleScenarios',
      'saveAuditList',
      'showAuditList',
      'showLog',
    ]);
  });

  it('shows what needs trust only where there is trust, or a connection, which nothing opens without it', () => {
    for (const { command } of commands.filter(({ enablement }) => enablement === 'isWorkspaceTrusted')) {
      const clause = paletteClauses.get(command) ?? '';
      expect(clause === 'false' || /isWorkspaceTrusted|hasConnection/.test(clause), `${command}: ${clause}`).toBe(true);
    }
  });

  it('says each condition once', () => {
    expect(menus['commandPalette']).toHaveLength(paletteClauses.size);
  });
});

describe('clauses', () => {
  const clauses = [
    ...Object.values(menus).flatMap(entries => entries.map(({ when }) => when ?? '')),
    ...commands.map(({ enablement }) => enablement ?? ''),
    ...keybindings.map(({ when }) => when ?? ''),
    ...viewsWelcome.map(({ when }) => when),
    ...manifest.contributes.languageModelTools.map(({ when }) => when),
  ];

  it('ask for known keys only', () => {
    const settings = Object.values(settingKeys).map(key => `config.${key}`);
    const known = [...builtInKeys, ...settings, ...Object.values(contextKeys)];
    expect(keysOf("view == a.b && viewItem =~ /^x\\/y/ && !c.d || e == 'f'")).toEqual(['view', 'viewItem', 'c.d', 'e']);
    for (const clause of clauses) for (const key of keysOf(clause)) expect(known, clause).toContain(key);
  });

  it('name a view of ours wherever they speak of a view or its rows', () => {
    for (const entry of [...rowEntries, ...(menus['view/title'] ?? [])]) {
      const view = /^view == (\S+)/.exec(entry.when ?? '')?.[1];
      expect(Object.values(viewIds), entry.when).toContain(view);
    }
    for (const entry of rowEntries) expect(rowsOf(entry), entry.when).not.toHaveLength(0);
  });
});

describe('the keyboard', () => {
  it('reaches every inline button of a row through the menu of that row', () => {
    const inline = rowEntries.filter(isInline).flatMap(entry => rowsOf(entry).map(row => `${entry.command!} ${row}`));
    const inMenu = rowEntries
      .filter(entry => !isInline(entry))
      .flatMap(entry => rowsOf(entry).map(row => `${entry.command ?? ''} ${row}`));
    expect(inline).not.toHaveLength(0);
    expect(inline.filter(one => !inMenu.includes(one))).toEqual([]);
  });

  it('reaches every button of a view title and of a welcome text through the palette', () => {
    const linked = Object.entries(nls)
      .filter(([key]) => key.startsWith('welcome.'))
      .flatMap(([, text]) => [...text.matchAll(/\(command:([\w.]+)\)/g)].map(match => match[1]!));
    const titles = (menus['view/title'] ?? []).flatMap(({ command }) => command ?? []);
    for (const id of [...linked, ...titles]) expect(visibleIn(id), id).toBe(true);
  });

  it('reaches every command', () => {
    const inRowMenus = rowEntries.filter(entry => !isInline(entry)).map(({ command }) => command);
    for (const { command } of commands) {
      expect(visibleIn(command) || inRowMenus.includes(command), command).toBe(true);
    }
  });
});

describe('settings', () => {
  function all(settings: Record<string, Setting>, above = ''): [string, Setting][] {
    return Object.entries(settings).flatMap(([name, setting]) => [
      [above + name, setting] as [string, Setting],
      ...all(setting.properties ?? {}, `${above}${name}.`),
      ...all(setting.items?.properties ?? {}, `${above}${name}.`),
    ]);
  }
  const described = all(configuration.properties);
  const textOf = ({ description, markdownDescription }: Setting) =>
    nls[(markdownDescription ?? description ?? '').slice(1, -1)] ?? '';

  it('have a type and a whole sentence, the inner ones too', () => {
    expect(described.length).toBeGreaterThan(15);
    for (const [name, setting] of described) {
      expect(setting.type, name).toBeDefined();
      expect(textOf(setting), name).toMatch(/^[^ ].{10,}[.]$/);
    }
  });

  it('have limits where they are numbers', () => {
    for (const [name, { type, minimum, maximum }] of described.filter(([, { type }]) => type === 'number')) {
      expect([type, minimum! < maximum!], name).toEqual(['number', true]);
    }
  });

  it('are written in Markdown exactly where their text is Markdown', () => {
    for (const [name, setting] of described) {
      const isMarkdown = /\]\(|`|\*\w/.test(textOf(setting));
      expect(setting.markdownDescription !== undefined, name).toBe(isMarkdown);
    }
  });

  it('link to commands that the palette shows, and to secure addresses', () => {
    const links = described.flatMap(([, setting]) => [...textOf(setting).matchAll(/\]\(([^)]+)\)/g)].map(m => m[1]!));
    expect(links).not.toHaveLength(0);
    for (const link of links) {
      if (!link.startsWith('https://'))
        expect(visibleIn(/^command:([\w.]+)$/.exec(link)?.[1] ?? 'none'), link).toBe(true);
    }
  });
});

describe('the Marketplace page', () => {
  it('has an icon of 256 by 256 pixels', () => {
    const png = readFileSync(new URL(manifest.icon, root));
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([256, 256]);
  });

  it('has banner, categories and keywords, and costs nothing', () => {
    expect(manifest.galleryBanner.color).toMatch(/^#[0-9a-f]{6}$/);
    expect(manifest.galleryBanner.theme).toBe('dark');
    expect(manifest.categories).toContain('Debuggers');
    expect(manifest.keywords).toContain('zookeeper');
    // The Marketplace takes 30 and refuses the package with more.
    expect(new Set(manifest.keywords).size).toBeLessThanOrEqual(30);
    expect([manifest.pricing, manifest.qna]).toEqual(['Free', false]);
  });

  it('names all its addresses or none, and no invented ones', () => {
    const { repository, bugs, homepage } = manifest;
    const named = [repository, bugs].filter(address => address !== undefined);
    expect([0, 2]).toContain(named.length);
    for (const address of [...named, homepage ?? 'https://']) {
      expect(JSON.stringify(address)).toMatch(/https:\/\//);
      expect(JSON.stringify(address)).not.toMatch(/example|your-|todo/i);
    }
  });

  it('supports virtual workspaces, and says why an untrusted one is limited', () => {
    expect(manifest.capabilities.virtualWorkspaces).toBe(true);
    expect(nls[manifest.capabilities.untrustedWorkspaces.description.slice(1, -1)]).toMatch(/trusted/);
  });

  it('is compiled against the oldest VS Code that it accepts', () => {
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']!}`);
  });
});
