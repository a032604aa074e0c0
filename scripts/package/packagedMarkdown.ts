import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { repositoryRoot } from '../build/bundle.ts';

const imageTypes: Record<string, string> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.gif': 'image/gif' };

/** Neither an address nor a place in the same file. */
function isRelative(target: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target);
}

async function inlined(alt: string, target: string): Promise<string> {
  const type = imageTypes[extname(target).toLowerCase()];
  if (type === undefined) throw new Error(`The package cannot carry the image ${target}: use PNG, JPEG or GIF.`);
  const bytes = await readFile(join(repositoryRoot, decodeURI(target)));
  return `![${alt}](data:${type};base64,${bytes.toString('base64')})`;
}

/**
 * A page of the repository as it reads inside of the package, where no file lies beside it: pictures are carried along
 * in the text, and links to files of the repository become plain words.
 *
 * @throws Error when a picture is missing or of a kind that VS Code does not show
 */
export async function packagedMarkdown(text: string): Promise<string> {
  const images = [...text.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].filter(([, , target]) => isRelative(target!));
  let result = text;
  for (const [whole, alt, target] of images) result = result.replaceAll(whole, await inlined(alt!, target!));
  return result.replace(
    /(?<!!)\[((?:[^[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)/g,
    (whole, words: string, target: string) => (isRelative(target) ? words : whole),
  );
}
