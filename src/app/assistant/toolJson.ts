import { cut } from '../../base/displayText.ts';

/** Bytes of a JSON answer, and of the text before it: together about 60 KB. */
export const mostJsonBytes = 44_000;
export const mostTextCharacters = 5_000;

/** Bytes of one name, path or identifier. */
const longestName = 300;
const plain = /^[ !#-[\]-~]*$/;

/** As in `escapeUnseen`: what cannot be seen, or changes how its neighbours are drawn. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Record<string, Json>;

function codesOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** JSON in which every character can be seen: others are escaped as JSON does it, so that a parser gives them back. */
export function toolJson(value: Json): string {
  return JSON.stringify(value).replaceAll(unseen, codesOf);
}

/** Foreign text of an answer: what takes too many bytes is cut and ends in an ellipsis. */
export function shortName(foreign: string): string {
  // A megabyte is not escaped in vain.
  const start = cut(foreign, longestName);
  if (plain.test(start)) return start;
  let bytes = 0;
  let kept = '';
  for (const character of start) {
    bytes += Buffer.byteLength(toolJson(character)) - 2;
    if (bytes > longestName) return `${kept}…`;
    kept += character;
  }
  return start;
}

/** The bytes that answers may still have. */
export class Budget {
  private left: number;

  constructor(bytes = mostJsonBytes) {
    this.left = bytes;
  }

  /** The first ones of a list, as many as `limit` and the budget allow. */
  take<T>(all: readonly T[], limit: number, entryOf: (each: T) => Json): { shown: Json[]; leftOut: number } {
    const shown: Json[] = [];
    for (const each of all.slice(0, limit)) {
      const entry = entryOf(each);
      const bytes = Buffer.byteLength(toolJson(entry)) + 1;
      if (bytes > this.left) break;
      this.left -= bytes;
      shown.push(entry);
    }
    return { shown, leftOut: all.length - shown.length };
  }
}
