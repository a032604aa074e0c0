/** One competitor for a lock. All calls but {@code holds} come from one thread of its own. */
interface Contender {
    /** Joins the queue; may block until the turn comes. */
    void begin() throws Exception;

    /** Gives the lock back, or leaves the queue where {@code begin} does not block. */
    void release() throws Exception;

    /** Whether the library itself says that this contender holds the lock now. */
    boolean holds();
}
