/** Neither an address nor a place in the same file. */
function isRelative(target: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target);
}

/** `[the API](docs/api.md)` says where that is; a picture, or a label that is the file's name, needs no more words. */
function wordsOf(label: string, target: string): string {
  const isSaid = label === '' || label.startsWith('![') || label.replaceAll('`', '') === target;
  return isSaid ? label : `${label} (\`${target}\`)`;
}

/**
 * A page of the repository as it reads inside of the package, where no file lies beside it: links to files of the
 * repository become their words and the file's name, and pictures are left out.
 *
 * Pictures cannot come along: VS Code's extension page shows those with an https address only, neither files of the
 * package nor data addresses.
 */
export function packagedMarkdown(text: string): string {
  const picture = /!\[[^\]]*\]\(([^)\s]+)\)|<img\b[^>]*\bsrc="([^"]*)"[^>]*>/g;
  const withoutPictures = text.replace(picture, (whole, target?: string, source?: string) =>
    isRelative(target ?? source ?? '') ? '' : whole,
  );
  const link = /(?<!!)\[((?:[^[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)/g;
  const words = withoutPictures.replace(link, (whole, label: string, target: string) =>
    isRelative(target) || label === '' ? wordsOf(label, target) : whole,
  );
  return words.replace(/\n{3,}/g, '\n\n');
}
