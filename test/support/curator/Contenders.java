import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Real lock libraries on request: one JSON line in, one JSON line out. Ends when its standard input ends. Contenders that name
 * the same session share it, each with a thread of its own, as the threads of one program do.
 */
public final class Contenders {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String hosts;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final Map<String, Session> sessions = new HashMap<>();

    private Contenders(String hosts) {
        this.hosts = hosts;
    }

    /** A contender with the thread that owns its lock: Curator's locks belong to threads. */
    private static final class Running {
        final Session session;
        final Contender contender;
        final ExecutorService thread = Executors.newSingleThreadExecutor();
        volatile Future<?> beginning = CompletableFuture.completedFuture(null);
        volatile String failure;

        Running(Session session, Contender contender) {
            this.session = session;
            this.contender = contender;
        }
    }

    private interface Step {
        Object run() throws Exception;
    }

    private interface Act {
        void run() throws Exception;
    }

    private Object start(Request request) throws Exception {
        String name = request.session == null ? "of " + request.contender : request.session;
        Session session = sessions.get(name);
        if (session == null) sessions.put(name, session = open(request));
        Contender contender = session.contender(request);
        if (contender == null) throw new IllegalArgumentException("no such recipe in this session: " + request.recipe);
        running.put(request.contender, new Running(session, contender));
        return Long.toString(session.id());
    }

    private Session open(Request request) throws Exception {
        boolean isPlain = ZooKeeperSession.hasRecipe(request.recipe);
        return isPlain ? new ZooKeeperSession(hosts, request) : new CuratorSession(hosts, request);
    }

    private Object begin(Request request) {
        Running one = find(request);
        one.beginning = one.thread.submit(() -> {
            try {
                one.contender.begin();
            } catch (Exception error) {
                one.failure = error.toString();
            }
        });
        return true;
    }

    private Object release(Request request) throws Exception {
        Running one = find(request);
        onThread(one, one.contender::release);
        return true;
    }

    /** Leaves the queue; the session stays. */
    private Object cancel(Request request) throws Exception {
        Running one = find(request);
        if (one.beginning.isDone()) onThread(one, one.contender::release);
        running.remove(request.contender);
        one.thread.shutdownNow();
        return true;
    }

    private Object increment(Request request) throws Exception {
        Running one = find(request);
        onThread(one, () -> one.session.increment(request.counterPath));
        return true;
    }

    private static void onThread(Running one, Act act) throws Exception {
        one.thread.submit(() -> {
            act.run();
            return null;
        }).get();
    }

    /** Ends the session in order, whoever of its contenders waits or holds. */
    private Object end(Request request) throws Exception {
        Session session = find(request).session;
        for (Map.Entry<String, Running> entry : running.entrySet()) {
            if (entry.getValue().session != session) continue;
            running.remove(entry.getKey());
            entry.getValue().thread.shutdownNow();
        }
        sessions.values().remove(session);
        session.close();
        return true;
    }

    private Object states() throws Exception {
        Map<String, Object> states = new LinkedHashMap<>();
        for (Map.Entry<String, Running> entry : running.entrySet()) {
            Map<String, Object> state = new LinkedHashMap<>();
            state.put("holds", entry.getValue().contender.holds());
            state.put("failure", entry.getValue().failure);
            states.put(entry.getKey(), state);
        }
        return states;
    }

    private Running find(Request request) {
        Running one = running.get(request.contender);
        if (one == null) throw new IllegalArgumentException("no contender " + request.contender);
        return one;
    }

    private Object obey(Request request) throws Exception {
        switch (request.command) {
            case "start":
                return start(request);
            case "begin":
                return begin(request);
            case "release":
                return release(request);
            case "cancel":
                return cancel(request);
            case "increment":
                return increment(request);
            case "end":
                return end(request);
            case "watchTree":
                find(request).session.watchTree(request.path);
                return true;
            case "tree":
                return find(request).session.tree(request.path);
            case "states":
                return states();
            default:
                throw new IllegalArgumentException("unknown command " + request.command);
        }
    }

    private static synchronized void answer(long id, Step step) throws Exception {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("id", id);
        try {
            reply.put("ok", step.run());
        } catch (Exception error) {
            reply.put("error", error.toString());
        }
        System.out.println(JSON.writeValueAsString(reply));
    }

    public static void main(String[] args) throws Exception {
        Contenders contenders = new Contenders(args[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Request request = JSON.readValue(line, Request.class);
            answer(request.id, () -> contenders.obey(request));
        }
        for (Running one : contenders.running.values()) one.thread.shutdownNow();
        for (Session session : contenders.sessions.values()) session.close();
        System.exit(0);
    }
}
