import importX from 'eslint-plugin-import-x';
import jsdoc from 'eslint-plugin-jsdoc';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import tseslint from 'typescript-eslint';
import { folderZones, noCircles } from './scripts/lint/house.mjs';

const vscodeBan = {
  name: 'vscode',
  message: 'Only src/extension may import VS Code, types included. Pass what you need in as an argument.',
};
const toolkitBan = {
  group: ['@vscode/webview-ui-toolkit', '@vscode/webview-ui-toolkit/*', '@microsoft/fast-*'],
  message: 'The toolkit is out of support: only webview/components.ts may import it.',
};
const libraryBan = {
  group: ['node-zookeeper-client', 'node-zookeeper-client/*'],
  message: 'Only src/zookeeper/library.ts may import the library. Use ZooKeeperClient.',
};

const pageBan = {
  regex: '/webview/',
  message: 'Speak to the page through src/protocol.ts.',
};

/** The host's half of the page stands in `app/panel`, its words in `extension/panel`. */
function protocolBan(folder) {
  return folder === 'app/panel'
    ? { regex: '/panelTexts\\.ts$', message: 'src/app has no words.' }
    : {
        regex: '/(protocol|historyProtocol|incidentProtocol|sessionProtocol|panelTexts)\\.ts$',
        message: 'The page belongs to src/app/panel and src/extension.',
      };
}

/** One zone for each folder of src: layers and folders point one way, types included. */
function folderZone({ folder, layer, allowed, regex }) {
  const order = {
    regex,
    message: `src/${folder} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing of this project'}.`,
  };
  const isExtension = layer === 'extension';
  return {
    files: [`src/${folder}/*.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: isExtension ? [] : [vscodeBan],
          patterns: [
            ...(regex === undefined ? [] : [order]),
            ...(isExtension ? [] : [protocolBan(folder)]),
            libraryBan,
            pageBan,
          ],
        },
      ],
    },
  };
}

function pageImports(...bans) {
  const hostBan = {
    regex: '^\\.\\./(\\.\\./)*src/(?!(protocol|historyProtocol|incidentProtocol|sessionProtocol|panelTexts)\\.ts$)',
    message: 'The page may import src/protocol.ts with its texts and nothing else of the host.',
  };
  return ['error', { paths: [vscodeBan], patterns: [libraryBan, hostBan, ...bans] }];
}

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'out', 'test-results', 'test/workbench/node_modules', '.cache'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { 'import-x': importX, jsdoc },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({ project: ['tsconfig.*.json'], noWarnOnMultipleProjects: true }),
      ],
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-nullish-coalescing': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-console': 'error',
      complexity: ['error', 10],
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60 }],
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    plugins: { house: { rules: { 'no-circles': noCircles } } },
    rules: {
      'house/no-circles': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ImportExpression', message: 'Only extension.ts loads parts later, and hands them down.' },
        {
          selector: 'ImportDeclaration[source.value="vscode"] > ImportSpecifier[imported.name="l10n"]',
          message: 'Texts come from words/language.ts, which writes their numbers as the language of the editor does.',
        },
      ],
    },
  },
  ...folderZones().map(zone => folderZone(zone)),
  {
    files: ['src/extension/extension.ts'],
    rules: { 'no-restricted-syntax': 'off', 'max-lines': ['error', { max: 100 }] },
  },
  {
    // The one gateway to the client library; its types stand beside it.
    files: ['src/zookeeper/library.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [vscodeBan], patterns: [{ regex: '^\\.\\./', message: 'Only what stands in src/zookeeper.' }] },
      ],
    },
  },
  {
    files: [
      'src/protocol.ts',
      'src/historyProtocol.ts',
      'src/incidentProtocol.ts',
      'src/sessionProtocol.ts',
      'src/panelTexts.ts',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\./(historyProtocol|panelTexts)\\.ts$)',
              message: 'src/protocol.ts imports its texts and nothing else.',
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      'src/zookeeper/**/*.ts',
      'src/locks/**/*.ts',
      'src/recipes/**/*.ts',
      'src/inspector/**/*.ts',
      'src/history/**/*.ts',
      'src/base/**/*.ts',
    ],
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        { publicOnly: true, require: { FunctionDeclaration: true, ClassDeclaration: true, MethodDefinition: false } },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
    },
  },
  {
    files: ['webview/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'writeln'].map(property => ({
          property,
          message: 'Node names and data are foreign text: build DOM with textContent.',
        })),
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="setAttribute"][arguments.0.value=/^(style|on.*)$/]',
          message: 'The content policy has no unsafe-inline: set element.style.x, add a listener.',
        },
      ],
      '@typescript-eslint/no-restricted-imports': pageImports(toolkitBan),
    },
  },
  {
    files: ['webview/components.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': pageImports() },
  },
  {
    files: ['test/**/*.ts', 'scripts/**/*.ts', '*.config.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip)$/]',
          message: 'Every test runs, every time.',
        },
      ],
    },
  },
  {
    files: ['scripts/**/*.ts', 'test/bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Their tools take the default export.
    files: ['*.config.ts', '*.config.mjs', '**/*.d.ts', 'test/versions/limitedRunner.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
);
