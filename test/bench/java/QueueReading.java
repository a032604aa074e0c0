import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.data.Stat;

/** Reads who is in a queue: names, then data and stat of each. */
final class QueueReading {
    private final Sessions sessions;

    QueueReading(Sessions sessions) {
        this.sessions = sessions;
    }

    /** As Curator's own tools do it: one node after the other. */
    Map<String, Object> oneByOne(String path) throws Exception {
        CuratorFramework client = sessions.one();
        long start = System.nanoTime();
        Collection<String> nodes = new InterProcessMutex(client, path).getParticipantNodes();
        long bytes = 0;
        for (String node : nodes) {
            Stat stat = new Stat();
            byte[] data = client.getData().storingStatIn(stat).forPath(node);
            bytes += data.length + (stat.getEphemeralOwner() == 0 ? 0 : 1);
        }
        return result(start, nodes.size(), bytes);
    }

    /** As it could be done with Curator: all reads under way at once. */
    Map<String, Object> inBackground(String path) throws Exception {
        CuratorFramework client = sessions.one();
        long start = System.nanoTime();
        Collection<String> nodes = new InterProcessMutex(client, path).getParticipantNodes();
        CountDownLatch left = new CountDownLatch(nodes.size());
        AtomicLong bytes = new AtomicLong();
        for (String node : nodes) {
            client.getData().inBackground((ignored, event) -> {
                bytes.addAndGet(event.getData().length + (event.getStat().getEphemeralOwner() == 0 ? 0 : 1));
                left.countDown();
            }).forPath(node);
        }
        left.await();
        return result(start, nodes.size(), bytes.get());
    }

    private static Map<String, Object> result(long start, int count, long bytes) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("ms", (System.nanoTime() - start) / 1e6);
        result.put("count", count);
        result.put("bytes", bytes);
        return result;
    }
}
