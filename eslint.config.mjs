import importX from 'eslint-plugin-import-x';
import jsdoc from 'eslint-plugin-jsdoc';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import tseslint from 'typescript-eslint';

/** Layers point one way (ARCHITECTURE.md). Each zone lists what it must not import, and what to do instead. */
const layers = {
  base: [],
  zookeeper: ['base'],
  locks: ['base'],
  recipes: ['locks', 'zookeeper', 'base'],
  inspector: ['locks', 'zookeeper', 'base'],
  history: ['locks', 'base'],
  app: ['recipes', 'inspector', 'history', 'locks', 'zookeeper', 'base'],
};
const allLayers = [...Object.keys(layers), 'extension'];

const vscodeBan = {
  name: 'vscode',
  message: 'Only src/extension may know VS Code, types included. Pass what you need in as an argument.',
};
const toolkitBan = {
  group: ['@vscode/webview-ui-toolkit', '@vscode/webview-ui-toolkit/*', '@microsoft/fast-*'],
  message: 'The toolkit is out of support: only webview/components.ts may know it.',
};
const libraryBan = {
  group: ['node-zookeeper-client', 'node-zookeeper-client/*'],
  message: 'Only src/zookeeper/library.ts may import the library. Use ZooKeeperClient.',
};

function layerZone(layer, allowed) {
  const banned = allLayers.filter(other => other !== layer && !allowed.includes(other));
  return {
    files: [`src/${layer}/**/*.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [vscodeBan],
          patterns: [
            libraryBan,
            {
              group: banned.flatMap(other => [`**/${other}/*`, `**/${other}`]),
              message: `src/${layer} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing of this project'}.`,
            },
            {
              group: ['**/protocol.ts', '**/panelTexts.ts', '**/webview/**'],
              message: 'The page and its protocol belong to src/extension.',
            },
          ],
        },
      ],
    },
  };
}

function pageImports(...bans) {
  const hostBan = {
    regex: '^\\.\\./(\\.\\./)*src/(?!(protocol|panelTexts)\\.ts$)',
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
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { paths: [vscodeBan], patterns: [libraryBan] }],
    },
  },
  ...Object.entries(layers).map(([layer, allowed]) => layerZone(layer, allowed)),
  {
    files: ['src/zookeeper/library.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [vscodeBan],
          patterns: [{ group: ['**/locks/*', '**/recipes/*', '**/inspector/*', '**/extension/*'] }],
        },
      ],
    },
  },
  {
    files: ['src/extension/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [libraryBan, { group: ['**/webview/**'], message: 'Speak to the page through src/protocol.ts.' }] },
      ],
    },
  },
  {
    files: ['src/protocol.ts', 'src/panelTexts.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(?!\\./panelTexts\\.ts$)', message: 'src/protocol.ts imports its texts and nothing else.' },
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
    files: ['*.config.ts', '*.config.mjs', '**/*.d.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
);
