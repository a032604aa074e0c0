/** The tools for language models, as package.json names them; a test compares the two. */
export const toolNames = {
  listLocks: 'zookeeperLocks_listLocks',
  explainLock: 'zookeeperLocks_explainLock',
  findBlockers: 'zookeeperLocks_findBlockers',
  showSession: 'zookeeperLocks_showSession',
} as const;

/** What a tool does. */
export type ToolKind = keyof typeof toolNames;
