import { getCACertificates } from 'node:tls';

let authorities: string[] | undefined;

/**
 * The authorities that vouch for servers where the person names none: those that Node brings along, and those of the operating
 * system, among which companies put their own. Left to itself Node knows the first kind only. Read once.
 *
 * @returns PEM texts
 */
export function machineAuthorities(): string[] {
  authorities ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return authorities;
}
