import { l10n } from 'vscode';
import type { Contender } from '../../locks/lockQueue.ts';
import type { TableColumn } from '../../protocol.ts';
import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import { whoText } from '../words/whoText.ts';
import { kindText } from '../words/kindText.ts';
import { ageWriter } from './ageWriter.ts';
import { shownName } from '../../base/shownName.ts';

/** A contender in its queue, with what the person found out about its owner. */
export interface RowFacts {
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  address: string | undefined;
  /** Epoch ms. */
  now: number;
}

/** What the table shows, column by column; nothing of it is foreign any more. */
export function cellTexts({ contender, position, address, now }: RowFacts): Record<TableColumn, string> {
  const { kind, waitsFor, ownerSession, sequence, czxid, createdAt } = contender;
  return {
    position: String(position),
    kind: kindText(kind),
    who: whoText(contender),
    address: address === undefined ? '' : displayText(address, 60),
    age: ageWriter()(now - createdAt),
    waitsFor: waitsFor === undefined ? '' : shownName(waitsFor),
    session: ownerSession === 0n ? l10n.t('not ephemeral') : sessionText(ownerSession),
    sequence: sequence === undefined ? '' : String(sequence),
    czxid: String(czxid),
  };
}

/** The same for the clipboard: foreign text as it is, byte for byte. */
export function copiedTexts(facts: RowFacts): Record<TableColumn, string> {
  const { contender, address } = facts;
  return {
    ...cellTexts(facts),
    who: copiedWho(contender),
    address: address ?? '',
    waitsFor: contender.waitsFor ?? '',
  };
}

/** As `whoText`, unchanged. */
function copiedWho({ identifier, ownerSession, name }: Contender): string {
  if (identifier.trim() !== '') return identifier;
  return ownerSession === 0n ? name : sessionText(ownerSession);
}
