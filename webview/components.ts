/**
 * The only module that imports `@vscode/webview-ui-toolkit`; a lint rule checks that.
 *
 * The toolkit is out of support: announced in July 2024, deprecated on 2025-01-01, archived since, and so is FAST
 * Foundation below it. Its last release works in current VS Code, but will not follow changes of
 * Chromium or of VS Code's look. To replace it, write these creators again with plain elements or
 * `@vscode-elements/elements` (`vscode-button`, `vscode-textfield`), and to drop the plugin in scripts/build/webviewBundle.ts
 * that shakes FAST's tree: the rest of the page sees elements with ARIA roles and never a toolkit type.
 *
 * The toolkit labels elements with placeholders ("Text field"); so every creator takes our own label.
 */
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeTextField } from '@vscode/webview-ui-toolkit';
import { element, setAttributes } from './dom.ts';

/** Once per page, before the first creator is used. Only what is used is registered, so only that is bundled. */
export function registerComponents(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeTextField());
}

/** Its visible text is its accessible name. */
export function createButton(text: string, onClick: () => void): HTMLElement {
  const button = document.createElement('vscode-button');
  button.setAttribute('appearance', 'secondary');
  button.textContent = text;
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') onClick();
  });
  return button;
}

/** Without `disabled`, which would throw the focus out of the button that has just been pressed for the last time. */
export function setButtonEnabled(button: HTMLElement, isEnabled: boolean): void {
  setAttributes(button, { 'aria-disabled': isEnabled ? undefined : 'true' });
}

export interface TextField {
  readonly element: HTMLElement;
  text(): string;
  setText(text: string): void;
}

export function createTextField(
  options: { label: string; placeholder: string; maxLength: number },
  onInput: (text: string) => void,
): TextField {
  const field = document.createElement('vscode-text-field') as HTMLElement & { value: string };
  // The toolkit overwrites an `aria-label` by the field's text; table.css hides the text.
  field.textContent = options.label;
  field.setAttribute('placeholder', options.placeholder);
  field.setAttribute('maxlength', String(options.maxLength));
  field.addEventListener('input', () => onInput(field.value));
  // VS Code takes keys at the window and does not see that a field has them: on macOS these select or write here, there they are commands.
  field.addEventListener('keydown', event => {
    if (event.shiftKey && event.altKey) event.stopPropagation();
  });
  return {
    element: field,
    text: () => field.value,
    setText: text => {
      if (field.value !== text) field.value = text;
    },
  };
}

/** Plain, with ARIA's roles: the toolkit's grid was a third of the script. Rows are appended by the caller. */
export function createGrid(label: string): HTMLElement {
  const grid = element('div', 'grid');
  setAttributes(grid, { role: 'grid', 'aria-label': label });
  return grid;
}

export function createGridRow(isHeader: boolean): HTMLElement {
  const row = element('div', isHeader ? 'grid-row is-header' : 'grid-row');
  row.setAttribute('role', 'row');
  return row;
}

/** `column` counts from 1. */
export function createGridCell(column: number, isHeader: boolean): HTMLElement {
  const cell = element('div', 'grid-cell');
  setAttributes(cell, { role: isHeader ? 'columnheader' : 'gridcell', 'aria-colindex': column, tabindex: -1 });
  return cell;
}
