/** What VS Code makes a link of in messages and prompts (src/vs/base/common/linkedText.ts, 1.139). */
export const linkPattern = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

/** What VS Code makes an icon of in labels (src/vs/base/common/iconLabels.ts). */
export const iconPattern = /(\\)?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** Characters that a person cannot see or that reorder what they see. */
export const unseenPattern =
  /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2061-\u206F\uFEFF]/;

/** Names that ZooKeeper accepts, and texts that data may hold. */
export const hostileTexts = [
  '[Retry](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D)',
  '[a](https://evil.example/x "title")',
  '[[x](command:a)](command:b)',
  '[x]\u200B(command:a)',
  '![x](https://evil.example/p.png)',
  '$(trash) delete',
  '\\$(sync~spin)',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '`code`',
  '__proto__',
  'constructor',
  '\u202Egpj.exe',
  'a\u200Bb',
  '\u001b[31mred\u0007',
  'line one\nline two\r\nOwner session: 0x1',
  'lone \uD800 surrogate',
  '\u{E0041}tag',
  '\u3164',
  '..\\..\\evil',
  '\\u202E',
  'x]',
  '(command:a)',
  'x$',
  `${'a'.repeat(198)}](command:a)`,
  'é'.repeat(5000),
] as const;
