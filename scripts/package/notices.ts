import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../build/bundle.ts';

interface PackageJson {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

/** Where `npm run package` writes the notices; part of the repository and of the package. */
export const noticesFile = join(repositoryRoot, 'THIRD_PARTY_NOTICES.txt');

const permissive = ['MIT', '0BSD', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];

const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

/**
 * The packages that sources belong to.
 *
 * @param sources paths with slashes; those outside of `node_modules` are ours and count for nothing
 * @returns their folders, nested ones too, each once
 */
export function packageFolders(sources: readonly string[]): string[] {
  const folders = sources.flatMap(
    source => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source.replaceAll('\\', '/'))?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** A package that names the MIT licence without bringing its text gets the text with its author's name. */
function termsWithoutFile({ name, license, author }: PackageJson): string {
  const who = typeof author === 'string' ? author.replace(/\s*[<(].*$/, '') : author?.name;
  if (license !== 'MIT' || who === undefined) {
    throw new Error(`${name} brings no licence text. Find it and add it to scripts/package/notices.ts.`);
  }
  return `Copyright (c) ${who}\n\n${mitTerms}`;
}

/** The licence files of a package in their own words; line ends and trailing blanks are ours. */
async function licenceText(folder: string, manifest: PackageJson): Promise<string> {
  const names = (await readdir(folder)).filter(name => /^(?:licen[cs]e|copying|copyright)/i.test(name)).sort();
  if (names.length === 0) return termsWithoutFile(manifest);
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
  return texts.map(text => text.replace(/[ \t]*\r?\n/g, '\n').trim()).join('\n\n');
}

async function notice(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageJson;
  const { name, version, license = 'unknown' } = manifest;
  if (!permissive.includes(license))
    throw new Error(`${name} ${version} has the licence "${license}"; see to it first.`);
  return `${name} ${version} (${license})\n${'-'.repeat(60)}\n\n${await licenceText(folder, manifest)}\n`;
}

/**
 * The notices that the licences of bundled packages require.
 *
 * @param sources the files that the bundles were made of (`bundledSources`)
 * @throws Error for a package whose licence is missing or is none of the permissive ones
 */
export async function thirdPartyNotices(sources: readonly string[]): Promise<string> {
  const notices = await Promise.all(packageFolders(sources).map(folder => notice(join(repositoryRoot, folder))));
  const opening = 'ZooKeeper Lock Inspector contains code of these packages, under their licences.\n';
  return [opening, ...notices].join(`\n${'='.repeat(80)}\n\n`);
}
