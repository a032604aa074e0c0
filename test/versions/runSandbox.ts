import { parseArgs } from 'node:util';
import { describePlay, isBadPlay, playTests } from './playTests.ts';

// npm run test:sandbox [-- --listed] [-- part-of-a-file-name ...]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Plays only the tests that `sandboxLimits.ts` lists: one that passes does not belong there. */
    listed: { type: 'boolean', default: false },
  },
});

const server = { engine: 'sandbox', version: '3.9.5' } as const;
const options = { files: positionals, onlyListed: values.listed };
const result = await playTests({ project: 'sandbox', server, report: 'sandbox' }, options);
process.stdout.write(`\n${describePlay('sandbox', result, values.listed)}\n`);
if (isBadPlay(result, values.listed)) process.exitCode = 1;
