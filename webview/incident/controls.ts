/**
 * The browser's own controls in the toolkit's look (controls.css): two kinds of them would cost this page three times its script.
 */
import { element, setAttributes } from '../dom.ts';

/** Its visible text is its accessible name. */
export function createButton(text: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', 'button', text);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

/** @param options `label` is its accessible name, and stands in the field while that is empty */
export function createSearchField(
  options: { label: string; text: string; maxLength: number },
  onInput: (text: string) => void,
): HTMLInputElement {
  const field = element('input', 'search');
  field.type = 'search';
  field.value = options.text;
  field.maxLength = options.maxLength;
  setAttributes(field, { 'aria-label': options.label, placeholder: options.label, spellcheck: 'false' });
  field.addEventListener('input', () => onInput(field.value));
  // VS Code takes keys at the window and does not see that a field has them: on macOS these select or write here, there they are commands.
  field.addEventListener('keydown', event => {
    if (event.shiftKey && event.altKey) event.stopPropagation();
  });
  return field;
}
