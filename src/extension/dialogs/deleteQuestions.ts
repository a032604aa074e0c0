import { nameToType } from '../../app/deletes/lookAtContender.ts';
import type { StaleChoice, StaleLook } from '../../app/deletes/lookForStale.ts';
import { displayEscaped } from '../../base/displayText.ts';
import { choiceText } from '../words/staleText.ts';
import { askChoice, askMany, askText, valueOf, type Choice } from './quickInput.ts';
import { l10n } from '../words/language.ts';

type Typed = ReturnType<typeof nameToType>['part'];

const typedPrompts: Record<'delete' | 'run', Record<Typed, (shown: string) => string>> = {
  delete: {
    whole: shown => l10n.t('Type "{0}" to delete. Escape deletes nothing.', shown),
    end: shown =>
      l10n.t('The name is long. Type its last ten characters, "{0}", to delete. Escape deletes nothing.', shown),
  },
  run: {
    whole: shown => l10n.t('Type "{0}" to run there. Escape runs nothing.', shown),
    end: shown =>
      l10n.t('The name is long. Type its last ten characters, "{0}", to run there. Escape runs nothing.', shown),
  },
};

/**
 * Asks the user to type a name before something where a click is not enough.
 *
 * @param name of the lock or cluster
 * @param act what follows
 * @throws CancelledError when it is not typed
 */
export async function askTypedName(title: string, name: string, act: 'delete' | 'run' = 'delete'): Promise<void> {
  const { text, part } = nameToType(name);
  const shown = displayEscaped(text);
  const answer = await askText({
    title,
    value: '',
    prompt: typedPrompts[act][part](shown),
    placeholder: shown,
    validate: typed => (typed.trim() === text ? undefined : l10n.t('This is not "{0}".', shown)),
  });
  valueOf(answer);
}

/**
 * Asks which nodes to delete. Those of owners that may live are left out until they are asked for.
 *
 * @param picked what was chosen before; `undefined`: what is safe
 * @param now epoch ms of the server's clock
 * @throws CancelledError
 */
export async function askStaleNodes(
  title: string,
  { choices, living }: StaleLook,
  picked: readonly StaleChoice[] | undefined,
  now: number,
): Promise<StaleChoice[]> {
  const lineFor = (value: StaleChoice): Choice<StaleChoice> & { isPicked: boolean } => ({
    ...choiceText(value, now),
    value,
    isPicked: picked?.includes(value) ?? value.isPicked,
  });
  return askMany({
    title,
    placeholder:
      living.length === 0
        ? l10n.t('What is deleted? Nodes whose owner may be alive are not preselected.')
        : l10n.t('What is deleted? Left out, because their owners may be alive: {0}.', living.length),
    choices: choices.map(lineFor),
    dangerous: {
      button: l10n.t('Include Living Owners ({0})', living.length),
      title: `$(warning) ${l10n.t('The owner is alive, or may be')}`,
      description: l10n.t('pick one by one'),
      choices: living.map(lineFor),
    },
  });
}

/** While a list is on screen: goes on to the question again, or back to the choice. @throws CancelledError */
export async function askAfterReading(title: string): Promise<'on' | 'back'> {
  const choices = [
    { label: l10n.t('Continue…'), description: l10n.t('asks again'), value: 'on' as const },
    { label: l10n.t('Back to the List'), description: '', value: 'back' as const },
  ];
  return valueOf(await askChoice({ title, placeholder: l10n.t('Read the list, then choose'), choices }));
}
