import type * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { logText } from '../../base/displayText.ts';

/** Writes to the output channel; credentials are struck out and unseen characters shown, whoever wrote the message. */
export function channelLogger(channel: Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>): Logger {
  return {
    debug: message => channel.debug(logText(message)),
    info: message => channel.info(logText(message)),
    warn: message => channel.warn(logText(message)),
    error: message => channel.error(logText(message)),
  };
}
