import { describe, expect, it } from 'vitest';
import { spreadsheetRow } from '../../../src/base/spreadsheetText.ts';

describe('a row for the clipboard', () => {
  it.each(['=1+1', '+1', ' =1', '\t=1', 'x;=1', 'x\n=1', 'x\r\n@y', '"=1', 'x\u2028=1'])(
    'makes one cell of %j, and no formula wherever a spreadsheet begins one',
    foreign => {
      const cells = spreadsheetRow(['before', foreign, 'after']).split('\t');
      expect(cells).toHaveLength(3);
      expect(cells[1]).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      for (const part of cells[1]!.split(';')) expect(part.replace(/^[\s"]+/u, '')).not.toMatch(/^[=+\-@]/u);
    },
  );

  it('keeps a cell to itself that begins with a quote', () => {
    expect(spreadsheetRow(['"a', 'b'])).toBe('"""a"\tb');
  });

  it('leaves ordinary text alone', () => {
    expect(spreadsheetRow(['1', 'pay-worker-1 "x"', '10.0.0.1:42', ''])).toBe('1\tpay-worker-1 "x"\t10.0.0.1:42\t');
  });
});
