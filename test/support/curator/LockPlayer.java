import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.data.Stat;

/**
 * A program that takes and releases a lock with Curator, again and again, on request: one JSON line in, one JSON line out, as
 * test/chaos/lockWorker.ts does with our recipes. It trusts its lock as long as {@code acquire} has returned and {@code release}
 * was not called, and notes when Curator first reported a lost connection meanwhile.
 */
public final class LockPlayer {
    private static final ObjectMapper JSON = new ObjectMapper();

    @JsonIgnoreProperties(ignoreUnknown = true)
    static final class Play {
        public String connectString;
        public String lockPath;
        public String recipe;
        public long seed;
        public long durationMs;
        public int sessionTimeoutMs;
        public int longHoldMs;
        public int registerPort;
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    static final class Line {
        public long id;
        public String command;
        public Play play;
        public boolean on;
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    static final class Held {
        public String recipe;
        public double from;
        public double until;
        public String path;
        public String token;
        public Boolean accepted;
        public Double suspendedAt;
    }

    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    static final class Played {
        final List<Held> held = new ArrayList<>();
        final Map<String, Integer> counts = new LinkedHashMap<>();
        final List<String> sessions = Collections.synchronizedList(new ArrayList<>());
        final List<String> failures = new ArrayList<>();
    }

    private final Play play;
    private final Random random;
    private final Played played = new Played();
    private final CuratorFramework client;
    private volatile boolean ended;
    /** Set while a fault is played: locks are held for as long as the play allows. */
    private volatile boolean clings;
    private volatile boolean holds;
    /** Since when the connection is lost; null while it is there. */
    private volatile Double trouble;
    /** When it was first lost during the present lease. */
    private volatile Double suspended;

    private LockPlayer(Play play) {
        this.play = play;
        random = new Random(play.seed);
        for (String kind : new String[] {"acquired", "timedOut", "cancelled", "sessionsLost"}) played.counts.put(kind, 0);
        client = CuratorFrameworkFactory.builder()
                .connectString(play.connectString)
                .sessionTimeoutMs(play.sessionTimeoutMs)
                .connectionTimeoutMs(2_000)
                .retryPolicy(new ExponentialBackoffRetry(50, 3))
                .build();
        client.getConnectionStateListenable().addListener((ignored, state) -> onState(state));
    }

    /** The clock that all programs of a machine share, ms. */
    private static double now() {
        return System.nanoTime() / 1e6;
    }

    private void onState(ConnectionState state) {
        if (state.isConnected()) {
            trouble = null;
            noteSession();
            return;
        }
        if (trouble == null) trouble = now();
        if (suspended == null) suspended = trouble;
        if (state == ConnectionState.LOST && !ended) count("sessionsLost");
    }

    private void noteSession() {
        try {
            played.sessions.add(Long.toString(client.getZookeeperClient().getZooKeeper().getSessionId()));
        } catch (Exception unknown) {
            played.sessions.add(unknown.getClass().getSimpleName());
        }
    }

    private synchronized void count(String kind) {
        played.counts.merge(kind, 1, Integer::sum);
    }

    private Played run() throws Exception {
        double end = now() + play.durationMs;
        client.start();
        while (now() < end) {
            try {
                attempt(end);
            } catch (Exception error) {
                played.failures.add(error.getClass().getSimpleName());
                Thread.sleep(50);
            }
            Thread.sleep(random.nextInt(4));
        }
        return played;
    }

    private void attempt(double end) throws Exception {
        String recipe = play.recipe.equals("readWrite") ? (random.nextBoolean() ? "read" : "write") : play.recipe;
        InterProcessMutex lock = lock(recipe);
        long remaining = Math.max(100, (long) (end - now())) + 5_000;
        if (!lock.acquire(random.nextInt(10) < 3 ? 150 : remaining, TimeUnit.MILLISECONDS)) {
            count("timedOut");
            return;
        }
        Held held = new Held();
        held.recipe = recipe;
        held.from = now();
        suspended = trouble;
        held.path = nodeOf(lock);
        count("acquired");
        try {
            Integer read = enter(held);
            holds = true;
            Thread.sleep(random.nextInt(30));
            while (clings && now() < held.from + play.longHoldMs) Thread.sleep(4);
            leave(held, read);
        } finally {
            holds = false;
            held.until = now();
            if (suspended != null) held.suspendedAt = Math.max(suspended, held.from);
            played.held.add(held);
            lock.release();
        }
    }

    private InterProcessMutex lock(String recipe) {
        if (recipe.equals("mutex")) return new InterProcessMutex(client, play.lockPath);
        InterProcessReadWriteLock lock = new InterProcessReadWriteLock(client, play.lockPath);
        return recipe.equals("read") ? lock.readLock() : lock.writeLock();
    }

    /** The mutex knows its node and does not publish it. */
    private static String nodeOf(InterProcessMutex lock) throws Exception {
        Method method = InterProcessMutex.class.getDeclaredMethod("getLockPath");
        method.setAccessible(true);
        return (String) method.invoke(lock);
    }

    /** Reads its fencing token and the register; null where a server or the register refuses. */
    private Integer enter(Held held) throws Exception {
        Stat stat;
        try {
            stat = client.checkExists().forPath(held.path);
        } catch (Exception error) {
            played.failures.add("token: " + error.getClass().getSimpleName());
            return null;
        }
        if (stat == null) return null;
        held.token = Long.toString(stat.getCzxid());
        return held.recipe.equals("read") ? null : ask("read " + play.lockPath + " " + held.token);
    }

    private void leave(Held held, Integer read) throws Exception {
        if (held.token == null || held.recipe.equals("read")) return;
        held.accepted = read != null && ask("write " + play.lockPath + " " + held.token + " " + (read + 1)) != null;
    }

    private Integer ask(String request) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", play.registerPort)) {
            socket.getOutputStream().write((request + "\n").getBytes(StandardCharsets.UTF_8));
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine();
            return line.equals("refused") ? null : Integer.valueOf(line);
        }
    }

    private void end() {
        ended = true;
        client.close();
    }

    private interface Work {
        Object run() throws Exception;
    }

    private static void answer(long id, Work work) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("id", id);
        try {
            reply.put("ok", work.run());
        } catch (Exception error) {
            reply.put("error", error.toString());
        }
        synchronized (JSON) {
            try {
                System.out.println(JSON.writeValueAsString(reply));
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        LockPlayer player = null;
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            Line line = JSON.readValue(text, Line.class);
            if (line.command.equals("play")) {
                LockPlayer next = new LockPlayer(line.play);
                player = next;
                new Thread(() -> answer(line.id, next::run)).start();
            } else if (line.command.equals("cling")) {
                LockPlayer current = player;
                if (current != null) current.clings = line.on;
                answer(line.id, () -> current != null && current.holds);
            } else {
                LockPlayer last = player;
                answer(line.id, () -> {
                    if (last != null) last.end();
                    return true;
                });
            }
        }
        System.exit(0);
    }
}
