import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.TreeCache;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphore;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** A session of Apache Curator with its recipes. */
final class CuratorSession implements Session {
    private final CuratorFramework client;
    private final Map<String, TreeCache> trees = new HashMap<>();

    CuratorSession(String hosts, Request request) throws Exception {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(hosts)
                .sessionTimeoutMs(request.sessionTimeoutMs)
                .connectionTimeoutMs(15_000)
                .retryPolicy(new ExponentialBackoffRetry(100, 5));
        if (request.identifier != null) builder.defaultData(request.identifier.getBytes(StandardCharsets.UTF_8));
        client = builder.build();
        client.start();
        client.blockUntilConnected();
    }

    @Override
    public Contender contender(Request request) {
        String path = request.path;
        switch (request.recipe) {
            case "mutex":
                return new LockContender(new InterProcessMutex(client, path));
            case "multi":
                return new LockContender(new InterProcessMultiLock(client, request.paths));
            case "semaphoreMutex":
                return new LockContender(new InterProcessSemaphoreMutex(client, path));
            case "read":
                return new LockContender(new InterProcessReadWriteLock(client, path).readLock());
            case "write":
                return new LockContender(new InterProcessReadWriteLock(client, path).writeLock());
            case "writeThenRead":
                return new WriteThenReadContender(new InterProcessReadWriteLock(client, path));
            case "downgrade":
                return new DowngradeContender(new InterProcessReadWriteLock(client, path));
            case "semaphore":
                return new SemaphoreContender(client, request);
            case "semaphoreV1":
                return new SemaphoreV1Contender(client, request);
            case "latch":
                return new LatchContender(client, request);
            case "selector":
                return new SelectorContender(client, request);
            default:
                return null;
        }
    }

    @Override
    public long id() throws Exception {
        return client.getZookeeperClient().getZooKeeper().getSessionId();
    }

    @Override
    public void increment(String counterPath) throws Exception {
        String number = new String(client.getData().forPath(counterPath), StandardCharsets.UTF_8);
        byte[] next = Integer.toString(Integer.parseInt(number) + 1).getBytes(StandardCharsets.UTF_8);
        client.setData().forPath(counterPath, next);
    }

    @Override
    public void watchTree(String path) throws Exception {
        TreeCache cache = new TreeCache(client, path);
        trees.put(path, cache);
        cache.start();
    }

    @Override
    public Map<String, String> tree(String path) {
        Map<String, String> found = new TreeMap<>();
        collect(trees.get(path), path, found);
        return found;
    }

    private static void collect(TreeCache cache, String path, Map<String, String> found) {
        ChildData node = cache.getCurrentData(path);
        Map<String, ChildData> children = cache.getCurrentChildren(path);
        if (node == null || children == null) return;
        found.put(path, new String(node.getData(), StandardCharsets.UTF_8));
        for (String name : children.keySet()) collect(cache, path + "/" + name, found);
    }

    @Override
    public void close() {
        for (TreeCache cache : trees.values()) cache.close();
        client.close();
    }

    private static final class LockContender implements Contender {
        private final InterProcessLock lock;

        LockContender(InterProcessLock lock) {
            this.lock = lock;
        }

        @Override
        public void begin() throws Exception {
            lock.acquire();
        }

        @Override
        public void release() throws Exception {
            lock.release();
        }

        @Override
        public boolean holds() {
            return lock.isAcquiredInThisProcess();
        }
    }

    /** Takes the write lock and then, as its owner, the read lock; gives both back at once. */
    private static final class WriteThenReadContender implements Contender {
        private final InterProcessReadWriteLock lock;

        WriteThenReadContender(InterProcessReadWriteLock lock) {
            this.lock = lock;
        }

        @Override
        public void begin() throws Exception {
            lock.writeLock().acquire();
            lock.readLock().acquire();
        }

        @Override
        public void release() throws Exception {
            lock.readLock().release();
            lock.writeLock().release();
        }

        @Override
        public boolean holds() {
            return lock.readLock().isAcquiredInThisProcess() && lock.writeLock().isAcquiredInThisProcess();
        }
    }

    /**
     * The documented way to downgrade, step by step: {@code begin} takes the write lock, the first release takes the read lock,
     * the second one gives back the write lock, the third one the read lock.
     */
    private static final class DowngradeContender implements Contender {
        private final InterProcessReadWriteLock lock;

        DowngradeContender(InterProcessReadWriteLock lock) {
            this.lock = lock;
        }

        @Override
        public void begin() throws Exception {
            lock.writeLock().acquire();
        }

        @Override
        public void release() throws Exception {
            boolean reads = lock.readLock().isAcquiredInThisProcess();
            if (!reads) lock.readLock().acquire();
            else if (lock.writeLock().isAcquiredInThisProcess()) lock.writeLock().release();
            else lock.readLock().release();
        }

        @Override
        public boolean holds() {
            return lock.readLock().isAcquiredInThisProcess() || lock.writeLock().isAcquiredInThisProcess();
        }
    }

    private static final class SemaphoreContender implements Contender {
        private final InterProcessSemaphoreV2 semaphore;
        private volatile Lease lease;

        SemaphoreContender(CuratorFramework client, Request request) {
            semaphore = new InterProcessSemaphoreV2(client, request.path, request.maxLeases);
            if (request.identifier != null) semaphore.setNodeData(request.identifier.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void begin() throws Exception {
            lease = semaphore.acquire();
        }

        @Override
        public void release() {
            if (lease != null) semaphore.returnLease(lease);
            lease = null;
        }

        @Override
        public boolean holds() {
            return lease != null;
        }
    }

    @SuppressWarnings("deprecation")
    private static final class SemaphoreV1Contender implements Contender {
        private final InterProcessSemaphore semaphore;
        private volatile Lease lease;

        SemaphoreV1Contender(CuratorFramework client, Request request) {
            semaphore = new InterProcessSemaphore(client, request.path, request.maxLeases);
        }

        @Override
        public void begin() throws Exception {
            lease = semaphore.acquire();
        }

        @Override
        public void release() {
            if (lease != null) semaphore.returnLease(lease);
            lease = null;
        }

        @Override
        public boolean holds() {
            return lease != null;
        }
    }

    private static final class LatchContender implements Contender {
        private final CuratorFramework client;
        private final Request request;
        private volatile LeaderLatch latch;

        LatchContender(CuratorFramework client, Request request) {
            this.client = client;
            this.request = request;
        }

        @Override
        public void begin() throws Exception {
            latch = request.identifier == null
                    ? new LeaderLatch(client, request.path)
                    : new LeaderLatch(client, request.path, request.identifier);
            latch.start();
        }

        @Override
        public void release() throws Exception {
            latch.close();
        }

        @Override
        public boolean holds() {
            return latch != null && latch.hasLeadership();
        }
    }

    private static final class SelectorContender implements Contender {
        private final LeaderSelector selector;
        private final CountDownLatch enough = new CountDownLatch(1);

        SelectorContender(CuratorFramework client, Request request) {
            selector = new LeaderSelector(client, request.path, new LeaderSelectorListenerAdapter() {
                @Override
                public void takeLeadership(CuratorFramework ignored) throws Exception {
                    enough.await();
                }
            });
            if (request.identifier != null) selector.setId(request.identifier);
        }

        @Override
        public void begin() {
            selector.start();
        }

        @Override
        public void release() {
            enough.countDown();
            selector.close();
        }

        @Override
        public boolean holds() {
            return selector.hasLeadership();
        }
    }
}
