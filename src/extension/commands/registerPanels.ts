import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { commandIds } from '../platform/contributions.ts';
import { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import type { PanelCommands } from './panelCommands.ts';
import type { PanelsParts } from './panelsParts.ts';

/** The lock panels and *Show Node Data*. Nothing is read, nor their code loaded, before a command runs. */
export function registerPanels(
  parts: PanelsParts & { load: () => Promise<{ PanelCommands: typeof PanelCommands }> },
): Disposable {
  const owned = new DisposableStore();
  const texts = owned.add(new ReadOnlyTexts('zookeeper-lock'));
  let loaded: Promise<PanelCommands> | undefined;
  const commands = (): Promise<PanelCommands> => (loaded ??= load());
  const load = async (): Promise<PanelCommands> => owned.add(new (await parts.load()).PanelCommands(parts, texts));
  owned.add(parts.register(commandIds.showQueue, async argument => (await commands()).showQueue(argument)));
  owned.add(parts.register(commandIds.showNodeData, async argument => (await commands()).showNodeData(argument)));
  return owned;
}
