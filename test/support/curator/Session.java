import java.util.Map;

/** One session with ZooKeeper and the contenders that share it. */
interface Session {
    long id() throws Exception;

    /** @return null if this library has no such recipe */
    Contender contender(Request request);

    /** Reads the number in a node and writes the next one, whatever was written in between. */
    void increment(String counterPath) throws Exception;

    /** Begins to mirror everything at and below a path. */
    default void watchTree(String path) throws Exception {
        throw new UnsupportedOperationException();
    }

    /** What the mirror of a path holds: text by path. */
    default Map<String, String> tree(String path) {
        throw new UnsupportedOperationException();
    }

    void close() throws Exception;
}
