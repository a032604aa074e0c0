import { l10n, type LogOutputChannel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commandIds, contextKeys } from '../contributions.ts';
import { setContextKey } from '../contextKeys.ts';
import type { ViewState } from '../tree/viewState.ts';
import { askText, valueOf } from './quickInput.ts';
import type { RegisterCommand } from './registerCommand.ts';

async function filter(state: ViewState): Promise<void> {
  const answer = await askText({
    title: l10n.t('Filter Locks'),
    value: state.filter,
    prompt: l10n.t('Show only locks whose path or name contains this text'),
    validate: () => undefined,
  });
  state.filter = valueOf(answer);
}

/** Filter, pause and log: what concerns the view as a whole. */
export function registerViewCommands(
  register: RegisterCommand,
  state: ViewState,
  log: Pick<LogOutputChannel, 'show'>,
): Disposable[] {
  const publish = (): void => {
    setContextKey(contextKeys.filtered, state.filter !== '');
    setContextKey(contextKeys.paused, state.paused);
  };
  publish();
  return [
    state.onChange(publish),
    register(commandIds.filter, () => filter(state)),
    register(commandIds.clearFilter, () => {
      state.filter = '';
    }),
    register(commandIds.pauseLive, () => {
      state.paused = true;
    }),
    register(commandIds.resumeLive, () => {
      state.paused = false;
    }),
    register(commandIds.showLog, () => {
      log.show();
    }),
  ];
}
