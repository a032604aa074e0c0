import java.util.Collections;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;

/** A session that lives through the end of its ensemble's leader. */
final class Failover {
    private CuratorFramework client;
    private long sessionId;

    Map<String, Object> attach(String hosts, int timeoutMs) throws Exception {
        client = CuratorFrameworkFactory.builder()
                .connectString(hosts)
                .sessionTimeoutMs(timeoutMs)
                .connectionTimeoutMs(timeoutMs)
                .retryPolicy(new RetryOneTime(2))
                .build();
        client.start();
        client.blockUntilConnected();
        client.sync().forPath("/");
        sessionId = currentId();
        return Collections.emptyMap();
    }

    /** Answers when the session has written, or is lost. A session that is lost is replaced by Curator itself. */
    Map<String, Object> writeAgain(String path) throws Exception {
        while (true) {
            try {
                client.create().withMode(CreateMode.EPHEMERAL_SEQUENTIAL).forPath(path + "/write-");
                return Collections.singletonMap("isLost", currentId() != sessionId);
            } catch (Exception notConnected) {
                Thread.sleep(2);
            }
        }
    }

    Map<String, Object> letGo() {
        client.close();
        return Collections.emptyMap();
    }

    private long currentId() throws Exception {
        return client.getZookeeperClient().getZooKeeper().getSessionId();
    }
}
