/** One session with ZooKeeper and the contenders that share it. */
interface Session {
    long id() throws Exception;

    /** @return null if this library has no such recipe */
    Contender contender(Request request);

    /** Reads the number in a node and writes the next one, whatever was written in between. */
    void increment(String counterPath) throws Exception;

    void close() throws Exception;
}
