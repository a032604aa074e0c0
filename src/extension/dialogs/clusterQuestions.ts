import { parseConnectString } from '../../zookeeper/connectString.ts';
import {
  environments,
  hasCredentials,
  longestClusterName,
  type ClusterProfile,
  type Environment,
} from '../../app/clusters/clusterProfile.ts';
import { draftOf, securityOf, typedSecrets, type TypedSecret } from '../../app/security/securityDraft.ts';
import { errorText } from '../words/errorText.ts';
import { useText, type ClusterUse } from '../words/clusterText.ts';
import { choiceStep, runSeries, textStep } from './questionSeries.ts';
import { securitySteps, type SecuritySeries } from './securityQuestions.ts';
import { l10n } from '../words/language.ts';

/** The parts of a profile that the person gives. */
export type ClusterAnswers = Pick<
  ClusterProfile,
  'name' | 'connectString' | 'environment' | 'readOnly' | 'auth' | 'tls'
>;

/** Why a name cannot be used; `taken` are the names of the other clusters. */
export function nameFault(name: string, taken: readonly string[]): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return l10n.t('Type a name, for example that of the system it belongs to.');
  if (trimmed.length > longestClusterName) return l10n.t('Use at most {0} characters.', longestClusterName);
  return taken.includes(trimmed) ? l10n.t('Another cluster already has this name.') : undefined;
}

/** Why a connect string cannot be used. */
export function connectStringFault(text: string): string | undefined {
  if (hasCredentials(text)) {
    return l10n.t('Leave out user and password: a connect string is stored as plain text. Type them later.');
  }
  try {
    parseConnectString(text);
    return undefined;
  } catch (error) {
    return errorText(error).what;
  }
}

function useMeaning({ environment, readOnly }: ClusterUse): string {
  if (readOnly === true) return l10n.t('no test locks are taken there, nothing is deleted');
  const meanings: Record<Environment, string> = {
    development: l10n.t('for trying things out'),
    staging: l10n.t('shared with others'),
    production: l10n.t('marked in red, with more questions before anything is changed'),
  };
  return meanings[environment];
}

/** One question for both, so that a protected cluster costs no further step. */
const uses: readonly ClusterUse[] = [
  ...environments.map(environment => ({ environment })),
  ...environments.map(environment => ({ environment, readOnly: true })),
];

interface Series extends SecuritySeries {
  /** Names of the other clusters. */
  readonly taken: readonly string[];
  readonly answers: { name: string; connectString: string; use: ClusterUse };
}

const nameStep = textStep<Series>({
  question: ({ taken, answers }) => ({
    value: answers.name,
    prompt: l10n.t('Name of the cluster'),
    placeholder: l10n.t('Orders, Frankfurt'),
    validate: name => nameFault(name, taken),
  }),
  save: ({ answers }, name) => (answers.name = name.trim()),
});

const connectStringStep = textStep<Series>({
  question: ({ answers }) => ({
    value: answers.connectString,
    prompt: l10n.t('Servers, separated by commas; a path at the end limits what is shown'),
    placeholder: 'zk1:2181,zk2:2181,zk3:2181/team',
    validate: connectStringFault,
  }),
  save: ({ answers }, text) => (answers.connectString = text.trim()),
});

const useStep = choiceStep<Series, ClusterUse>({
  question: ({ answers }) => ({
    placeholder: l10n.t('What is this cluster used for?'),
    choices: uses.map(value => ({ label: useText(value), description: useMeaning(value), value })),
    active: uses.find(use => useText(use) === useText(answers.use)),
  }),
  save: ({ answers }, use) => (answers.use = use),
});

/**
 * Asks for name, servers, environment and protection, encryption and log-in, with a way back.
 *
 * @param initial what Enter answers
 * @returns secrets apart: they belong in the secret storage
 * @throws CancelledError when the person closes the input
 */
export async function askCluster({
  initial,
  ...question
}: Pick<Series, 'title' | 'taken' | 'isKept'> & { initial: ClusterAnswers }): Promise<{
  answers: ClusterAnswers;
  secrets: TypedSecret[];
}> {
  const { name, connectString, environment, readOnly } = initial;
  const security = draftOf(initial);
  const series: Series = { ...question, security, answers: { name, connectString, use: { environment, readOnly } } };
  await runSeries<Series>([nameStep, connectStringStep, useStep, ...securitySteps], series);
  const { use, ...others } = series.answers;
  return { answers: { ...others, ...use, ...securityOf(security) }, secrets: typedSecrets(security) };
}
