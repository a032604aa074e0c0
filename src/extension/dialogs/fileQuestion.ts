import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { displayText } from '../../base/displayText.ts';
import { errorText } from '../words/errorText.ts';
import { askChoice, type Choice, type StepResult, type StepTitle } from './quickInput.ts';

export interface FileQuestion extends StepTitle {
  /** What the file holds, as a question. */
  placeholder: string;
  /** Title of the open dialog. */
  dialogTitle: string;
  present: string | undefined;
  /** The choice of no file at all; left out where one is needed. */
  without?: { label: string; description: string };
  /** @throws an error that says why the file cannot be used */
  check(file: string): Promise<unknown>;
}

type FileChoice = 'present' | 'other' | 'without';

/** @param fault why the file that was chosen last cannot be used */
function choices({ present, without }: FileQuestion, fault: string | undefined): Choice<FileChoice>[] {
  const offered: Choice<FileChoice>[] = [];
  if (present !== undefined) {
    const description = displayText(dirname(present));
    offered.push({ label: displayText(basename(present)), description, value: 'present' });
  }
  if (without !== undefined) offered.push({ ...without, value: 'without' });
  const detail = fault === undefined ? {} : { detail: `$(warning) ${fault}` };
  offered.push({ label: l10n.t('Choose a file…'), description: l10n.t('PEM'), ...detail, value: 'other' });
  return offered;
}

async function openDialog({ dialogTitle, present }: FileQuestion): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: dialogTitle,
    openLabel: l10n.t('Choose'),
    canSelectMany: false,
    // Beside the former file; an address without a scheme would be none of this machine.
    ...(present === undefined ? {} : { defaultUri: vscode.Uri.file(present) }),
    filters: {
      [l10n.t('PEM files')]: ['pem', 'crt', 'cer', 'key', 'cert', 'ca-bundle'],
      [l10n.t('All files')]: ['*'],
    },
  });
  return files?.[0]?.fsPath;
}

/**
 * Asks for a file by the open dialog, again if the file cannot be used: the question then says why.
 *
 * @returns the absolute path, or `undefined` for no file
 */
export async function askFile(question: FileQuestion): Promise<StepResult<string | undefined>> {
  let { placeholder } = question;
  let fault: string | undefined;
  for (;;) {
    const offered = choices(question, fault);
    const active = fault === undefined ? offered[0]?.value : 'other';
    const answer = await askChoice({ ...question, placeholder, choices: offered, active });
    if (answer.kind === 'back') return answer;
    if (answer.value === 'without') return { kind: 'value', value: undefined };
    const file = answer.value === 'present' ? question.present : await openDialog(question);
    if (file === undefined) continue;
    try {
      await question.check(file);
      return { kind: 'value', value: file };
    } catch (error) {
      ({ what: fault, next: placeholder } = errorText(error));
    }
  }
}
