/** One competitor for a lock, with a session of its own. All calls but {@code holds} come from one thread of its own. */
interface Contender {
    /** Joins the queue; may block until the turn comes. */
    void begin() throws Exception;

    /** Gives the lock back, or leaves the queue. */
    void release() throws Exception;

    /** Whether the library itself says that this contender holds the lock now. */
    boolean holds();

    long sessionId() throws Exception;

    /** Reads the number in a node and writes the next one, whatever was written in between. */
    void increment(String counterPath) throws Exception;

    void close() throws Exception;
}
