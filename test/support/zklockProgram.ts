import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildZklock } from '../../scripts/build/bundle.ts';
import { python } from './python.ts';

/** How a call of the program ended, and what it wrote. */
export interface ProgramEnd {
  code: number | null;
  out: string;
  err: string;
}

export interface ProgramCall {
  /** Of the program; nothing else but PATH is set. */
  env?: Readonly<Record<string, string>>;
  /** For Node itself. */
  nodeArgs?: readonly string[];
}

/** A call that is under way. */
export interface StartedProgram {
  child: ChildProcess;
  end: Promise<ProgramEnd>;
}

/** The built program `zklock`, and a folder for files, for the tests of one file. Valid while a test runs. */
export class ZklockProgram {
  folder = '';

  start(args: readonly string[], { env = {}, nodeArgs = [] }: ProgramCall = {}): StartedProgram {
    const child = spawn(process.execPath, [...nodeArgs, join(this.folder, 'zklock.mjs'), ...args], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end: ProgramEnd = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (end.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (end.err += text));
    const ended = once(child, 'close').then(([code]) => ({ ...end, code: code as number | null }));
    return { child, end: ended };
  }

  async run(args: readonly string[], call?: ProgramCall): Promise<ProgramEnd> {
    return this.start(args, call).end;
  }
}

/** Builds the program as it is shipped, once for the tests of the calling file. */
export function useZklock(): ZklockProgram {
  const program = new ZklockProgram();
  beforeAll(async () => {
    program.folder = await mkdtemp(join(tmpdir(), 'zklock-'));
    await buildZklock(join(program.folder, 'zklock.mjs'));
  });
  afterAll(async () => {
    await rm(program.folder, { recursive: true, force: true });
  });
  return program;
}

/** An element, as a parser of XML that is not ours reads it. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

const xmlReader = `
import json, sys, xml.etree.ElementTree as E
def read(e): return {'name': e.tag, 'attributes': e.attrib, 'text': e.text or '', 'children': [read(c) for c in e]}
print(json.dumps(read(E.parse(sys.argv[1]).getroot())))
`;

/** @throws Error if the file is not well-formed */
export function readXml(file: string): XmlElement {
  const { status, stdout, stderr } = spawnSync(python(), ['-c', xmlReader, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as XmlElement;
}
