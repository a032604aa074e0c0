import type { CommandName } from './commandLine.ts';

const connection = `Connection:
  --auth-file FILE       log-ins, one a line: digest:USER:PASSWORD or sasl:USER:PASSWORD
  --tls                  encrypts, and trusts the authorities of this machine
  --tls-ca FILE          encrypts, and trusts these authorities (PEM)
  --tls-cert FILE, --tls-key FILE
                         client certificate and its key (PEM)
  --tls-server-name NAME the name expected in the server's certificate

Environment (secrets are never arguments):
  ZKLOCK_AUTH            log-ins, as in --auth-file, which is used instead where it is given
  ZKLOCK_TLS_PASSPHRASE  opens the key of --tls-key`;

const texts: Readonly<Record<CommandName, string>> = {
  run: `zklock run FILES... [--cluster sandbox|HOST:PORT[/CHROOT]] [--junit FILE] [--json]

Plays scenarios. A folder stands for the *.zklock files in it. It WRITES to the cluster: it takes the locks that the
files name, and removes at the end what it has made.

  --cluster CLUSTER      where all files are played; default: as the file says, else a sandbox for each file
  --junit FILE           writes a report as JUnit XML
  --json                 writes the results as JSON to the standard output instead of lines

${connection}

Exit code: 0 everything was true, 1 an expectation or a step failed, 2 a file or an option cannot be used,
3 the cluster cannot be reached, 130 interrupted (everything is removed first; a second Ctrl-C ends at once).`,

  ls: `zklock ls HOST:PORT[,HOST:PORT...][/CHROOT] [PATH] [--json]

Lists the locks at and below PATH (default: /) with their holders and the number of waiters. It only reads.

  --json                 writes JSON

${connection}

Exit code: 0 listed, 2 an option cannot be used, 3 the cluster cannot be reached or refuses, 130 interrupted.`,

  explain: `zklock explain HOST:PORT[,HOST:PORT...][/CHROOT] PATH [--json]

Explains one lock: who holds it, since when and from where, who waits, and what a release changes. It only reads, and
asks the servers for their clients by four-letter words where they allow it.

  --json                 writes JSON

${connection}

Exit code: 0 explained, 1 there is no lock at PATH, 2 an option cannot be used, 3 the cluster cannot be reached or
refuses, 130 interrupted.`,

  history: `zklock history FOLDER [PATH] [--json]

Shows who held locks and when, from the transaction logs and snapshots of a server (its folder version-2, or a copy).
It only reads. With the path of one lock: everything that happened to it; otherwise a line for each lock at and
below PATH.

  --json                 writes all holds and waits as JSON

Exit code: 0 shown, 1 there is no lock at or below PATH, 2 the folder or an option cannot be used, 130 interrupted.`,
};

/** The help of a command, or of the program. */
export function helpText(command?: CommandName): string {
  if (command !== undefined) return texts[command];
  return `zklock: ZooKeeper locks on the command line

  zklock run FILES...             plays scenarios (*.zklock) on a sandbox or on a cluster
  zklock ls HOST:PORT [PATH]      lists locks with holder and waiters
  zklock explain HOST:PORT PATH   explains one lock
  zklock history FOLDER [PATH]    who held what, from transaction logs

  zklock COMMAND --help           options, environment and exit codes
  zklock --version`;
}
