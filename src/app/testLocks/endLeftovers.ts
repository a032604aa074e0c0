import { NodeLeftBehind } from '../../recipes/errors.ts';

/**
 * What an attempt could not delete goes with its session, if that may end.
 *
 * @param error why the attempt ended
 * @param endSession @returns false if other locks need the session
 * @returns what is left to tell
 */
export async function endLeftovers(error: unknown, endSession: () => Promise<boolean>): Promise<unknown> {
  return error instanceof NodeLeftBehind && (await endSession()) ? error.why : error;
}
