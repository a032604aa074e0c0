import { FactError } from '../base/factError.ts';

/** The port cannot be listened on: taken (`EADDRINUSE`) or not allowed (`EACCES`). In a file of its own, since every window loads it. */
export class SandboxPortError extends FactError {
  readonly port: number;
  /** As Node has it. */
  readonly code: string;

  constructor(port: number, code: string) {
    super('SandboxPortError', `Port ${port} of 127.0.0.1 cannot be used: ${code}`);
    this.port = port;
    this.code = code;
  }
}
