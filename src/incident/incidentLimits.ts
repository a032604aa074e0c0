/** The version of the format that is written, and the newest that is read (docs/incident-file.md). */
export const formatName = 'zkincident';
export const majorVersion = 1;
export const minorVersion = 0;

/** How a file's name ends. */
export const incidentEnding = '.zkincident';

/** Bytes of one line. Parsing one takes less than the 50 ms that a person does not notice. */
export const longestLine = 2 * 1024 * 1024;
/** Bytes of the first line: what has none of this length is no such file, however large it is. */
export const longestHeader = 64 * 1024;
/** Bytes of all lines. */
export const longestFile = 1024 * 1024 * 1024;
/** Lines that are kept in memory, of the span and of the facts: what takes them all takes less than 500 MB. */
export const mostEntries = 200_000;
export const mostFacts = 200_000;
/** Bytes of the lines that are kept. */
export const mostKeptBytes = 64 * 1024 * 1024;
/** Lines of any kind, those of types that are not known included. */
export const mostLines = 2_000_000;
/** Lines that cannot be read: with more of them the rest is not looked at. */
export const mostBadLines = 1_000;
/** Damaged places that are named. */
export const mostProblems = 100;
/** Names of strangers and hazards in the line of a queue: they are also among the nodes. */
export const mostNames = 1_000;
