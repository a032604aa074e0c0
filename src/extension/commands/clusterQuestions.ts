import { l10n } from 'vscode';
import { parseConnectString } from '../../zookeeper/connectString.ts';
import { environments, hasCredentials, type ClusterProfile, type Environment } from '../clusters/clusterProfile.ts';
import { errorText } from '../text/errorText.ts';
import { environmentText } from '../tree/clusterRow.ts';
import { askChoice, askText, type StepResult } from './quickInput.ts';

/** The parts of a profile that the person types. */
export type ClusterAnswers = Pick<ClusterProfile, 'name' | 'connectString' | 'environment'>;

const longestName = 60;
const total = 3;

/** Why a name cannot be used; `taken` are the names of the other clusters. */
export function nameFault(name: string, taken: readonly string[]): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return l10n.t('Type a name, for example the name of the system it belongs to.');
  if (trimmed.length > longestName) return l10n.t('Use at most {0} characters.', longestName);
  return taken.includes(trimmed) ? l10n.t('Another cluster has this name.') : undefined;
}

/** Why a connect string cannot be used. */
export function connectStringFault(text: string): string | undefined {
  if (hasCredentials(text)) {
    return l10n.t('Leave out user and password: a connect string is stored as plain text.');
  }
  try {
    parseConnectString(text);
    return undefined;
  } catch (error) {
    return errorText(error).what;
  }
}

function environmentMeaning(environment: Environment): string {
  switch (environment) {
    case 'development':
      return l10n.t('for trying things out');
    case 'staging':
      return l10n.t('shared with others');
    case 'production':
      return l10n.t('marked in red, with more questions before anything is changed');
  }
}

interface Series {
  title: string;
  taken: readonly string[];
  answers: ClusterAnswers;
}

/** One step; puts its answer into the series. Returns whether to go back. */
type Step = (series: Series) => Promise<boolean>;

function take<T>(result: StepResult<T>, use: (value: T) => void): boolean {
  if (result.kind === 'back') return true;
  use(result.value);
  return false;
}

const askName: Step = async ({ title, taken, answers }) =>
  take(
    await askText({
      title,
      step: { number: 1, total },
      value: answers.name,
      prompt: l10n.t('Name of the cluster'),
      placeholder: l10n.t('Orders, Frankfurt'),
      validate: name => nameFault(name, taken),
    }),
    name => (answers.name = name.trim()),
  );

const askConnectString: Step = async ({ title, answers }) =>
  take(
    await askText({
      title,
      step: { number: 2, total },
      value: answers.connectString,
      prompt: l10n.t('Servers, separated by commas; a path at the end limits what is seen'),
      placeholder: 'zk1:2181,zk2:2181,zk3:2181/team',
      validate: connectStringFault,
    }),
    text => (answers.connectString = text.trim()),
  );

const askEnvironment: Step = async ({ title, answers }) =>
  take(
    await askChoice<Environment>({
      title,
      step: { number: 3, total },
      placeholder: l10n.t('What is this cluster used for?'),
      choices: environments.map(value => ({
        label: environmentText(value),
        description: environmentMeaning(value),
        value,
      })),
      active: answers.environment,
    }),
    environment => (answers.environment = environment),
  );

/**
 * Asks for name, connect string and environment, with a way back.
 *
 * @throws CancelledError when the person closes the input
 */
export async function askCluster(
  title: string,
  initial: ClusterAnswers,
  taken: readonly string[],
): Promise<ClusterAnswers> {
  const { name, connectString, environment } = initial;
  const series: Series = { title, taken, answers: { name, connectString, environment } };
  const steps = [askName, askConnectString, askEnvironment];
  for (let at = 0; at < steps.length;) {
    const goesBack = (await steps[at]?.(series)) ?? false;
    at = goesBack ? Math.max(0, at - 1) : at + 1;
  }
  return series.answers;
}
