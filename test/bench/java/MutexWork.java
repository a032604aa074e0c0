import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** Takes and releases mutexes. */
final class MutexWork {
    private final Sessions sessions;
    private CuratorFramework enteredSession;
    private InterProcessMutex entered;

    MutexWork(Sessions sessions) {
        this.sessions = sessions;
    }

    Map<String, Object> uncontended(String path, int times) throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(sessions.one(), path);
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            mutex.acquire();
            mutex.release();
        }
        return Collections.singletonMap("ms", (System.nanoTime() - start) / 1e6);
    }

    /** So many clients take turns until the lock has been granted so many times. */
    Map<String, Object> contended(String path, int clients, int handOvers) throws Exception {
        AtomicInteger left = new AtomicInteger(handOvers);
        AtomicLong end = new AtomicLong();
        CountDownLatch ready = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (CuratorFramework client : sessions.many(clients)) {
            InterProcessMutex mutex = new InterProcessMutex(client, path);
            Thread thread = new Thread(() -> {
                try {
                    ready.await();
                    while (left.get() > 0) {
                        mutex.acquire();
                        if (left.decrementAndGet() == 0) end.set(System.nanoTime());
                        mutex.release();
                    }
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            });
            thread.start();
            threads.add(thread);
        }
        long start = System.nanoTime();
        ready.countDown();
        for (Thread thread : threads) thread.join();
        return Collections.singletonMap("ms", (end.get() - start) / 1e6);
    }

    /** Joins the queue by a session of its own; answers when it holds. */
    Map<String, Object> enter(String path, String hosts) throws Exception {
        enteredSession = Sessions.start(hosts);
        enteredSession.blockUntilConnected();
        entered = new InterProcessMutex(enteredSession, path);
        entered.acquire();
        return Collections.emptyMap();
    }

    Map<String, Object> leave() throws Exception {
        entered.release();
        enteredSession.close();
        return Collections.emptyMap();
    }
}
