import { isZooKeeperError } from './errors.ts';

/** Requests that not every server knows. */
export type Ability = 'create2' | 'createContainer' | 'multiRead' | 'addWatch' | 'whoAmI';

/**
 * Learns from the server's own answers what it cannot do, once per session.
 *
 * A server that does not know a request answers UNIMPLEMENTED and hangs up a moment later
 * (UnimplementedRequestProcessor.java): what is sent in that moment would be lost, so the substitute goes out on the next
 * connection.
 */
export class Abilities {
  private readonly known = new Map<Ability, boolean>();
  private readonly learning = new Map<Ability, Promise<void>>();
  private readonly renewed: () => Promise<void>;

  /** @param renewed gives the connection up and waits for the next one */
  constructor(renewed: () => Promise<void>) {
    this.renewed = renewed;
  }

  /** Runs `attempt`, or `substitute` if the server has said, now or before, that it lacks `ability`. */
  async orElse<T>(ability: Ability, attempt: () => Promise<T>, substitute: () => Promise<T>): Promise<T> {
    if (this.known.get(ability) === false) return substitute();
    try {
      const result = await attempt();
      this.known.set(ability, true);
      return result;
    } catch (error) {
      if (!isZooKeeperError(error, 'UNIMPLEMENTED')) throw error;
    }
    this.known.set(ability, false);
    await this.renewed();
    return substitute();
  }

  /**
   * As `orElse`, but the first request of the kind goes alone: the refusal itself is lost when the server hangs up with
   * more requests unread, and then nothing would ever be learnt.
   */
  async aloneOrElse<T>(ability: Ability, attempt: () => Promise<T>, substitute: () => Promise<T>): Promise<T> {
    for (let first = this.learning.get(ability); first !== undefined; first = this.learning.get(ability)) await first;
    if (this.known.has(ability)) return this.orElse(ability, attempt, substitute);
    const lesson = Promise.withResolvers<undefined>();
    this.learning.set(ability, lesson.promise);
    try {
      return await this.orElse(ability, attempt, substitute);
    } finally {
      this.learning.delete(ability);
      lesson.resolve(undefined);
    }
  }
}
