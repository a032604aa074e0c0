import { ageParts } from '../../panelTexts.ts';
import { numberText } from '../words/localeText.ts';
import { spanTexts } from './panelTexts.ts';

/** Writes ages in ms as the page does. */
export function ageWriter(): (ageMs: number) => string {
  const texts = spanTexts();
  return ageMs => {
    const { text, numbers } = ageParts(ageMs);
    return texts[text].replaceAll(/\{(\d)\}/gu, (_place, index: string) => numberText(numbers[Number(index)] ?? 0));
  };
}
