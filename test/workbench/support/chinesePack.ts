import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../../../scripts/vscode/profile.ts';

/** The few texts of VS Code's own that stand beside ours; the others stay English. */
const coreTexts = {
  'vs/platform/dialogs/common/dialogs': { cancelButton: '取消', okButton: '确定(&&O)' },
  'vs/workbench/api/browser/mainThreadMessageService': { cancel: '取消' },
  'vs/workbench/services/progress/browser/progressService': { cancel: '取消' },
  'vs/platform/quickinput/browser/quickInputController': {
    ok: '确定',
    'quickInput.back': '上一步',
    'quickInput.visibleCount': '{0} 个结果',
  },
};

/**
 * Makes VS Code speak Chinese without the network. It believes in a language only when `languagepacks.json` names a pack
 * for it, as installing Microsoft's would; this one is empty but for `coreTexts`. The server wants `--locale zh-cn` besides.
 */
export async function installChinesePack({ userDataDir, extensionsDir }: Profile): Promise<void> {
  const id = 'test.chinese-pack';
  const folder = join(extensionsDir, `${id}-1.0.0`);
  const translations = [{ id: 'vscode', path: './main.i18n.json' }];
  const localization = { languageId: 'zh-cn', languageName: 'Chinese Simplified', localizedLanguageName: '中文(简体)' };
  const manifest = {
    name: 'chinese-pack',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '*' },
    contributes: { localizations: [{ ...localization, translations }] },
  };
  const pack = {
    hash: 'test',
    label: localization.localizedLanguageName,
    extensions: [{ extensionIdentifier: { id }, version: manifest.version }],
    translations: { vscode: join(folder, 'main.i18n.json') },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.i18n.json'), JSON.stringify({ version: '1.0.0', contents: coreTexts }));
  await writeFile(join(userDataDir, 'languagepacks.json'), JSON.stringify({ 'zh-cn': pack }));
}
