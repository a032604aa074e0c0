import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Sessions that stay open between measurements, so that opening them is not measured. */
final class Sessions {
    private final String hosts;
    private final List<CuratorFramework> open = new ArrayList<>();

    Sessions(String hosts) {
        this.hosts = hosts;
    }

    CuratorFramework one() throws Exception {
        return many(1).get(0);
    }

    List<CuratorFramework> many(int count) throws Exception {
        List<CuratorFramework> added = new ArrayList<>();
        while (open.size() < count) {
            CuratorFramework client = start(hosts);
            open.add(client);
            added.add(client);
        }
        for (CuratorFramework client : added) client.blockUntilConnected();
        return open.subList(0, count);
    }

    static CuratorFramework start(String hosts) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(hosts)
                .sessionTimeoutMs(60_000)
                .connectionTimeoutMs(30_000)
                .retryPolicy(new ExponentialBackoffRetry(100, 5))
                .build();
        client.start();
        return client;
    }
}
