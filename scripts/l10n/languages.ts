/** Languages of the user interface besides English, as VS Code names them. */
export const languages = ['zh-cn'] as const;

/** Names, abbreviations and what has no words in it: the same in every language. */
export const sameEverywhere: readonly string[] = [
  'ZooKeeper Lock Inspector',
  'TLS',
  'PEM',
  'czxid',
  '{0} KB',
  '{0} MB',
];
