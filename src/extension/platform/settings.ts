import * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { settingKeys } from './contributions.ts';

/** The defaults; package.json repeats them and a test compares. */
export const settingDefaults = {
  clusters: [],
  maxWatchedLocks: 200,
  maxSearchedNodes: 50_000,
  connectTimeoutSeconds: 10,
  autoReleaseSeconds: 60,
  longHeldMinutes: 60,
  deadlockSeconds: 30,
  adminServerPort: 0,
  reconnectOnStartup: false,
  recordWhileConnected: false,
  recordDays: 7,
  recordMegabytes: 50,
  recordQuestionsPerMinute: 1_200,
  recordNodeData: false,
  toolsEnabled: true,
  toolsInProduction: [],
} as const satisfies Record<keyof typeof settingKeys, unknown>;

/** The settings of this person, checked. `clusters` is raw: `readProfiles` checks it. */
export interface Settings {
  clusters: unknown;
  maxWatchedLocks: number;
  maxSearchedNodes: number;
  connectTimeoutMs: number;
  /** Offered first when a test lock is acquired. */
  autoReleaseMs: number;
  /** A holder older than this is marked. */
  longHeldMs: number;
  /** Sessions that wait for each other for this long are called deadlocked. */
  deadlockMs: number;
  /** `undefined`: no requests to an AdminServer. */
  adminServerPort: number | undefined;
  /** Clusters that were connected when the workspace was open last are connected without being asked for. */
  reconnectOnStartup: boolean;
  recording: RecordingSettings;
  tools: ToolSettings;
}

/** What language models may read. */
export interface ToolSettings {
  isEnabled: boolean;
  /** Names of production clusters that are not refused. */
  production: readonly string[];
}

/** How locks are recorded. */
export interface RecordingSettings {
  /** Every cluster while it is connected, without being asked to. */
  whileConnected: boolean;
  /** Files are kept for so long. */
  days: number;
  /** The most that the files of one cluster may take on the disk. */
  megabytes: number;
  /** The most questions to each server; 0: none. */
  questionsPerMinute: number;
  /** Whether the data of nodes are kept, too. */
  nodeData: boolean;
}

/**
 * Only what the person wrote into their own settings counts: a repository must not name hosts (docs/faults.md, 4.4).
 * The `application` scope says the same; this holds even if the scope were lost.
 */
function userValue(key: string): unknown {
  return vscode.workspace.getConfiguration().inspect<unknown>(key)?.globalValue;
}

/** The least and the greatest value of each setting that is a whole number. */
const limits = {
  maxWatchedLocks: [0, 10_000],
  maxSearchedNodes: [1, 10_000_000],
  connectTimeoutSeconds: [1, 120],
  autoReleaseSeconds: [1, 86_400],
  longHeldMinutes: [1, 525_600],
  deadlockSeconds: [1, 86_400],
  adminServerPort: [0, 65_535],
  recordDays: [1, 365],
  recordMegabytes: [10, 10_000],
  recordQuestionsPerMinute: [0, 6_000],
} as const;

function wholeNumber(name: keyof typeof limits): number {
  const value = userValue(settingKeys[name]);
  const [min, max] = limits[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) return settingDefaults[name];
  return Math.min(max, Math.max(min, Math.floor(value)));
}

/** The texts of a list; no other value counts. */
function textList(key: string): string[] {
  const value = userValue(key);
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}

/** Reads every setting; a value of the wrong type gives the default, one out of range the nearest limit. */
export function readSettings(): Settings {
  const adminServerPort = wholeNumber('adminServerPort');
  return {
    clusters: userValue(settingKeys.clusters) ?? settingDefaults.clusters,
    maxWatchedLocks: wholeNumber('maxWatchedLocks'),
    maxSearchedNodes: wholeNumber('maxSearchedNodes'),
    connectTimeoutMs: 1000 * wholeNumber('connectTimeoutSeconds'),
    autoReleaseMs: 1000 * wholeNumber('autoReleaseSeconds'),
    longHeldMs: 60_000 * wholeNumber('longHeldMinutes'),
    deadlockMs: 1000 * wholeNumber('deadlockSeconds'),
    adminServerPort: adminServerPort === 0 ? undefined : adminServerPort,
    reconnectOnStartup: userValue(settingKeys.reconnectOnStartup) === true,
    recording: {
      whileConnected: userValue(settingKeys.recordWhileConnected) === true,
      days: wholeNumber('recordDays'),
      megabytes: wholeNumber('recordMegabytes'),
      questionsPerMinute: wholeNumber('recordQuestionsPerMinute'),
      nodeData: userValue(settingKeys.recordNodeData) === true,
    },
    tools: {
      isEnabled: (userValue(settingKeys.toolsEnabled) ?? settingDefaults.toolsEnabled) === true,
      production: textList(settingKeys.toolsInProduction),
    },
  };
}

/** The settings, read again only after one of them changed: for what asks with every row. */
export class CurrentSettings implements Disposable {
  private readonly subscription: Disposable;
  private known: Settings | undefined;

  constructor() {
    this.subscription = onSettingsChange(() => (this.known = undefined));
  }

  get value(): Settings {
    this.known ??= readSettings();
    return this.known;
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

/** Replaces the saved clusters in the user settings. */
export async function writeClusters(clusters: readonly unknown[]): Promise<void> {
  await vscode.workspace.getConfiguration().update(settingKeys.clusters, clusters, vscode.ConfigurationTarget.Global);
}

/** @param listener called after any setting of this extension changed */
export function onSettingsChange(listener: () => void): Disposable {
  const subscription = vscode.workspace.onDidChangeConfiguration(change => {
    if (Object.values(settingKeys).some(key => change.affectsConfiguration(key))) listener();
  });
  return toDisposable(() => void subscription.dispose());
}
