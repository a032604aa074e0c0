import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.recipes.leader.LeaderElectionSupport;
import org.apache.zookeeper.recipes.lock.WriteLock;

/** A session of ZooKeeper's own client with the recipes that ZooKeeper itself ships. */
final class ZooKeeperSession implements Session {
    private final ZooKeeper client;

    ZooKeeperSession(String hosts, Request request) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        client = new ZooKeeper(hosts, request.sessionTimeoutMs, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) connected.countDown();
        });
        if (!connected.await(15, TimeUnit.SECONDS)) throw new IllegalStateException("no connection to " + hosts);
    }

    static boolean hasRecipe(String name) {
        return name.equals("zooKeeperWriteLock") || name.equals("leaderElectionSupport");
    }

    @Override
    public Contender contender(Request request) {
        switch (request.recipe) {
            case "zooKeeperWriteLock":
                return new WriteLockContender(client, request);
            case "leaderElectionSupport":
                return new ElectionContender(client, request);
            default:
                return null;
        }
    }

    @Override
    public long id() {
        return client.getSessionId();
    }

    @Override
    public void increment(String counterPath) throws Exception {
        String number = new String(client.getData(counterPath, false, null), StandardCharsets.UTF_8);
        byte[] next = Integer.toString(Integer.parseInt(number) + 1).getBytes(StandardCharsets.UTF_8);
        client.setData(counterPath, next, -1);
    }

    @Override
    public void close() throws Exception {
        client.close();
    }

    private static final class WriteLockContender implements Contender {
        private final WriteLock lock;

        WriteLockContender(ZooKeeper client, Request request) {
            lock = new WriteLock(client, request.path, ZooDefs.Ids.OPEN_ACL_UNSAFE);
        }

        @Override
        public void begin() throws Exception {
            lock.lock();
        }

        @Override
        public void release() {
            lock.unlock();
        }

        @Override
        public boolean holds() {
            return lock.isOwner();
        }
    }

    private static final class ElectionContender implements Contender {
        private final LeaderElectionSupport election = new LeaderElectionSupport();
        private final ZooKeeper client;
        private final Request request;
        private volatile boolean leads;

        ElectionContender(ZooKeeper client, Request request) {
            this.client = client;
            this.request = request;
            election.setZooKeeper(client);
            election.setRootNodeName(request.path);
            election.setHostName(request.identifier == null ? "localhost" : request.identifier);
            election.addListener(event -> {
                if (event == LeaderElectionSupport.EventType.ELECTED_COMPLETE) leads = true;
                if (event == LeaderElectionSupport.EventType.STOP_START) leads = false;
                if (event == LeaderElectionSupport.EventType.FAILED) leads = false;
            });
        }

        @Override
        public void begin() throws Exception {
            // The recipe expects that its root exists.
            try {
                client.create(request.path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException expected) {
                // another contender was first
            }
            election.start();
        }

        @Override
        public void release() {
            election.stop();
        }

        @Override
        public boolean holds() {
            return leads;
        }
    }
}
