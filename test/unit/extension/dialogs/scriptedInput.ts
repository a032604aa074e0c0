import { QuickInputButtons, window } from '../fakeVscode.ts';

/** What a scripted person does with one input. */
export type Action = { type: string } | { pick: string } | 'enter' | 'back' | 'escape' | 'none';

/** An input as it was when it was shown. */
export interface Shown {
  title: string;
  prompt: string;
  placeholder: string;
  labels: string[];
  descriptions: string[];
  details: string[];
  value: string;
  password: boolean;
  /** Whether another input was on screen until this one was shown. */
  replacesOther: boolean;
}

/** Inputs on screen now. */
export const onScreen = new Set<FakeInput>();

interface Choice {
  label: string;
  description: string;
  detail?: string;
}

export class FakeInput {
  title = '';
  prompt = '';
  placeholder = '';
  value = '';
  password = false;
  ignoreFocusOut = true;
  replacesOther = false;
  /** What the window shows: it empties the list when it hides the input (quickInputController.ts, `show`). */
  listed: readonly Choice[] = [];
  activeItems: Choice[] = [];
  selectedItems: Choice[] = [];
  validationMessage: string | undefined;
  private offered: Choice[] = [];
  private readonly listeners = new Map<string, ((value?: unknown) => void)[]>();
  private readonly play: (input: FakeInput) => void;

  constructor(play: (input: FakeInput) => void) {
    this.play = play;
  }

  get items(): Choice[] {
    return this.offered;
  }

  set items(items: Choice[]) {
    this.offered = items;
    this.listed = items;
  }

  readonly onDidChangeValue = this.event('value');
  readonly onDidAccept = this.event('accept');
  readonly onDidChangeSelection = this.event('selection');
  readonly onDidTriggerButton = this.event('button');
  readonly onDidHide = this.event('hide');

  fire(name: string, value?: unknown): void {
    if (name === 'hide') this.listed = [];
    for (const listener of this.listeners.get(name) ?? []) listener(value);
  }

  show(): void {
    this.replacesOther = onScreen.size > 0;
    onScreen.add(this);
    setImmediate(() => this.play(this));
  }

  dispose(): void {
    onScreen.delete(this);
    this.fire('hide');
  }

  private event(name: string): (listener: (value?: unknown) => void) => { dispose(): void } {
    return listener => {
      this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
      return { dispose: () => this.listeners.delete(name) };
    };
  }
}

function act(input: FakeInput, action: Action): void {
  if (action === 'none') return;
  if (action === 'back') {
    input.fire('button', QuickInputButtons.Back);
    return;
  }
  if (action === 'escape') {
    input.fire('hide');
    return;
  }
  if (action === 'enter') input.selectedItems = input.activeItems.slice(0, 1);
  else if ('type' in action) {
    input.value = action.type;
    input.fire('value', action.type);
  } else {
    input.selectedItems = input.listed.filter(({ label }) => label.startsWith(action.pick));
    if (input.selectedItems.length === 0) throw new Error(`"${input.title}" offers no ${action.pick}`);
  }
  input.fire('accept');
}

/** Plays `actions`, one per input, and `files`, one per open dialog. @returns every input that was shown */
export function playInputs(actions: readonly Action[], files: readonly (string | undefined)[] = []): Shown[] {
  const seen: Shown[] = [];
  const coming = [...actions];
  const chosen = [...files];
  onScreen.clear();
  const create = (): FakeInput =>
    new FakeInput(input => {
      const { title, prompt, placeholder, value, password, listed, replacesOther } = input;
      const labels = listed.map(({ label }) => label);
      const descriptions = listed.map(({ description }) => description);
      const details = listed.map(({ detail }) => detail ?? '');
      seen.push({ title, prompt, placeholder, value, password, labels, descriptions, details, replacesOther });
      // More inputs than the script expects: the person gives up, and the test sees it.
      act(input, coming.shift() ?? 'escape');
    });
  Object.assign(window, {
    createInputBox: create,
    createQuickPick: create,
    showOpenDialog: () => {
      const file = chosen.shift();
      return Promise.resolve(file === undefined ? undefined : [{ fsPath: file }]);
    },
  });
  return seen;
}
