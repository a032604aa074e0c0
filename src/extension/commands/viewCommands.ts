import { window, type LogOutputChannel } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { onceDone } from '../../base/onceDone.ts';
import { commandIds, contextKeys, editorTypes, panelTypes } from '../platform/contributions.ts';
import { type RegisterCommand, setContextKey } from '../platform/commands.ts';
import type { ViewState } from '../../app/clusters/viewState.ts';
import { troubleText } from '../views/viewTexts.ts';
import { askChoice, askText, valueOf } from '../dialogs/quickInput.ts';
import { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import type { PanelCommands, PanelsParts } from './panelCommands.ts';
import { l10n } from '../words/language.ts';

async function filter(state: ViewState): Promise<void> {
  const answer = await askText({
    title: l10n.t('Filter Locks'),
    value: state.filter,
    prompt: l10n.t('Show only locks whose path or name contains this text'),
  });
  state.filter = valueOf(answer);
}

async function showOnly(state: ViewState): Promise<void> {
  const troubles = ['contended', 'stale', 'deadlocked'] as const;
  const choices = [
    { label: l10n.t('all locks'), description: '', value: undefined },
    ...troubles.map(trouble => ({ label: troubleText(trouble), description: '', value: trouble })),
  ];
  const placeholder = l10n.t('Which locks are shown?');
  state.only = valueOf(await askChoice({ title: l10n.t('Show Only'), placeholder, choices, active: state.only }));
}

/** Filter, pause and log: what concerns the view as a whole. */
export function registerViewCommands(
  register: RegisterCommand,
  state: ViewState,
  log: Pick<LogOutputChannel, 'show'>,
): Disposable[] {
  const publish = (): void => {
    setContextKey(contextKeys.filtered, state.filter !== '' || state.only !== undefined);
    setContextKey(contextKeys.paused, state.paused);
    setContextKey(contextKeys.grouped, state.grouped);
  };
  publish();
  return [
    state.onChange(publish),
    register(commandIds.filter, () => filter(state)),
    register(commandIds.clearFilter, () => {
      state.filter = '';
      state.only = undefined;
    }),
    register(commandIds.showOnly, () => showOnly(state)),
    register(commandIds.pauseLive, () => {
      state.paused = true;
    }),
    register(commandIds.resumeLive, () => {
      state.paused = false;
    }),
    register(commandIds.groupByDirectory, () => (state.grouped = true)),
    register(commandIds.showAsList, () => (state.grouped = false)),
    register(commandIds.showLog, () => {
      log.show();
    }),
  ];
}

/** The panels of locks and sessions, the editors of incident files and *Show Node Data*. Nothing is read, nor their code loaded, before a command runs or a panel comes back. */
export function registerPanels(
  parts: Omit<PanelsParts, 'texts'> & { load: () => Promise<{ PanelCommands: typeof PanelCommands }> },
): Disposable[] {
  const owned = new DisposableStore();
  const texts = owned.add(new ReadOnlyTexts('zookeeper-lock'));
  const commands = onceDone(async () => owned.add(new (await parts.load()).PanelCommands({ ...parts, texts })));
  const revival = window.registerWebviewPanelSerializer(panelTypes.queue, {
    deserializeWebviewPanel: async (panel, state) => (await commands()).revive(panel, state),
  });
  const sessions = window.registerWebviewPanelSerializer(panelTypes.session, {
    deserializeWebviewPanel: async (panel, state) => (await commands()).reviveSession(panel, state),
  });
  // The document is the file itself: it is read when its editor is filled.
  const editors = window.registerCustomEditorProvider(editorTypes.incident, {
    openCustomDocument: uri => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => (await commands()).openIncident(panel, uri),
  });
  for (const registration of [revival, sessions, editors]) owned.add(toDisposable(() => void registration.dispose()));
  return [
    owned,
    parts.register(commandIds.showQueue, async argument => (await commands()).showQueue(argument)),
    parts.register(commandIds.showSession, async argument => (await commands()).showSession(argument)),
    parts.register(commandIds.showNodeData, async argument => (await commands()).showNodeData(argument)),
  ];
}
