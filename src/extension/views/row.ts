import type { ContextValue } from '../platform/contributions.ts';
import type { MarkSeverity } from '../words/markText.ts';

/** A row ready to be drawn: every text is safe for the screen. */
export interface Row {
  label: string;
  description: string;
  /** `undefined`: made when the person hovers (`contenderTooltip`, `deniedTooltip`). */
  tooltip: string | undefined;
  /** What a screen reader says: the state in words, never by icon or colour alone. */
  accessibleLabel: string;
  icon: string;
  color: string | undefined;
  contextValue: ContextValue;
  /** Whether the row can be opened. */
  parent: boolean;
  /** How the label is drawn: `dimmed` is not current, `production` wants care, the others are in trouble. */
  decoration: 'dimmed' | 'production' | MarkSeverity | undefined;
}
