/** A foreign name as part of a file's name or a tab's title: ASCII letters, digits and a few safe signs, at most 60. */
export function fileNamePart(foreign: string): string {
  const plain = foreign.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^[._-]+|[._-]+$/g, '');
  return plain === '' ? 'lock' : plain.slice(0, 60);
}
