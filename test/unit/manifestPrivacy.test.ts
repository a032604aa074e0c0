import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { channelLogger } from '../../src/extension/platform/errorReporting.ts';

const files = ['src', 'webview'].flatMap(folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => ({ path: path.split(sep).join('/'), text: readFileSync(path, 'utf8') })),
);

function filesWith(pattern: RegExp): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

/** Modules that import this for more than its types. */
function importing(module: string): string[] {
  return filesWith(new RegExp(`import (?!type )[^;]*from '(?:node:)?${module}'`));
}

describe('what the README promises about privacy', () => {
  it('opens connections in two places, both on demand: to ZooKeeper, and to its AdminServer when a port is set', () => {
    /** What is imported from `net` for something else than opening a connection. */
    const looking: Record<string, string> = {
      'src/zookeeper/connectString.ts': "import { isIPv6 } from 'node:net'",
      'src/inspector/owners/reportedAddress.ts': "import { BlockList, isIPv6 } from 'node:net'",
      'src/app/recorder/addressBook.ts': "import { BlockList, isIPv6 } from 'node:net'",
      // It listens, on loopback alone.
      'src/sandbox/startSandbox.ts': "listener.listen({ port, host: '127.0.0.1', exclusive: true })",
    };
    expect([...importing('net'), ...importing('tls')].filter(path => !(path in looking))).toEqual([
      'src/zookeeper/openSocket.ts',
      'src/zookeeper/openSocket.ts',
    ]);
    for (const [path, line] of Object.entries(looking)) {
      expect(files.find(file => file.path === path)?.text).toContain(line);
    }
    // Not `request`, which VS Code may replace by one that goes through a proxy: sockets are opened in one place.
    expect([...importing('http'), ...importing('https')]).toEqual(['src/inspector/owners/askServer.ts']);
    expect(filesWith(/import \{ ClientRequest, type IncomingMessage \} from 'node:http'/)).toHaveLength(1);
    // A recorder asks the name server of the machine for the hosts of clients.
    expect([...importing('dns'), ...importing('dns/promises')]).toEqual([
      'src/app/recorder/addressBook.ts',
      'src/inspector/owners/reportedAddress.ts',
    ]);
    for (const module of ['dgram', 'http2', 'child_process', 'worker_threads']) expect(importing(module)).toEqual([]);
    // The page cannot, whatever it calls: its content security policy allows no connections.
    const asking = filesWith(/\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\(|openExternal/);
    expect(asking.filter(path => path.startsWith('src/'))).toEqual([]);
  });

  it('sends nobody anything about its use', () => {
    expect(filesWith(/telemetry/i)).toEqual([]);
  });

  it('reads the certificates that a cluster names, keeps the audit list and recordings, and other files only through a dialog or the workspace', () => {
    const readingFiles = [...importing('fs'), ...importing('fs/promises')];
    // Transaction logs and recordings are read where the person says.
    const ofLogs = readingFiles.filter(path => /^src\/(?:replay|journal)\//u.test(path));
    const writing =
      /\b(?:writeFile|appendFile|createWriteStream|copyFile|rename|unlink|rm|rmdir|mkdir|truncate|chmod|write)\(/;
    expect(filesWith(writing).filter(path => ofLogs.includes(path))).toEqual([]);
    expect(filesWith(/\bopen\([^)]*, '(?!r'\))/).filter(path => ofLogs.includes(path))).toEqual([]);
    // The program `zklock` is no part of the extension; it reads and writes what its arguments name.
    const ofProgram = readingFiles.filter(path => path.startsWith('src/zklock/'));
    expect([...new Set(ofProgram)].sort()).toEqual(
      ['cluster.ts', 'runCommand.ts', 'scenarioFiles.ts'].map(name => `src/zklock/${name}`),
    );
    expect(filesWith(writing).filter(path => ofProgram.includes(path))).toEqual(['src/zklock/runCommand.ts']);
    const ofExtension = readingFiles.filter(path => !ofLogs.includes(path) && !ofProgram.includes(path));
    expect([...new Set(ofExtension)].sort()).toEqual([
      'src/app/deletes/auditFolder.ts',
      'src/app/recorder/journalFolder.ts',
      'src/app/recorder/recorders.ts',
      'src/app/security/tlsFiles.ts',
      // Where a dialog says, or an editor shows.
      'src/incident/fileLines.ts',
      'src/incident/fileStamp.ts',
      'src/incident/writeIncident.ts',
    ]);
    expect(filesWith(/folder: join\(storageUri\.fsPath, 'recordings'\)/)).toHaveLength(1);
    expect(filesWith(/new AuditFolder\(\{ folder: join\(storageUri\.fsPath, 'audit'\)/)).toHaveLength(1);
    for (const path of filesWith(/workspace\.fs\.(?:writeFile|delete|rename|copy|createDirectory)/)) {
      expect(files.find(file => file.path === path)?.text, path).toContain('showSaveDialog');
    }
  });
});

describe('the log', () => {
  it('keeps the level of a message and strikes out what looks like a credential', () => {
    const lines: string[] = [];
    const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
    const channel = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    const logger = channelLogger(channel);
    logger.debug('a');
    logger.info('b');
    logger.warn('c');
    logger.error('digest://admin:secret@zk1');
    expect(lines.slice(0, 3)).toEqual(['debug a', 'info b', 'warn c']);
    expect(lines[3]).toMatch(/^error /);
    expect(lines[3]).not.toContain('secret');
  });

  it('is a channel with levels', () => {
    expect(filesWith(/createOutputChannel\(vscode\.l10n\.t\([^)]*\), \{ log: true \}\)/)).toEqual([
      'src/extension/extension.ts',
    ]);
    expect(filesWith(/createOutputChannel\(/)).toEqual(['src/extension/extension.ts']);
  });
});
