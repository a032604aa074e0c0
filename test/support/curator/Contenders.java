import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Real lock libraries on request: one JSON line in, one JSON line out. Ends when its standard input ends. */
public final class Contenders {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String hosts;
    private final Map<String, Running> running = new ConcurrentHashMap<>();

    private Contenders(String hosts) {
        this.hosts = hosts;
    }

    /** A contender with the thread that owns its lock: Curator's locks belong to threads. */
    private static final class Running {
        final Contender contender;
        final ExecutorService thread = Executors.newSingleThreadExecutor();
        volatile String failure;

        Running(Contender contender) {
            this.contender = contender;
        }
    }

    private interface Step {
        Object run() throws Exception;
    }

    private Object start(Request request) throws Exception {
        Contender contender = ZooKeeperContenders.create(hosts, request);
        if (contender == null) contender = CuratorContenders.create(hosts, request);
        if (contender == null) throw new IllegalArgumentException("unknown recipe " + request.recipe);
        running.put(request.contender, new Running(contender));
        return Long.toString(contender.sessionId());
    }

    private Object begin(Request request) {
        Running one = find(request);
        one.thread.submit(() -> {
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
        one.thread.submit(() -> {
            one.contender.release();
            return null;
        }).get();
        return true;
    }

    private Object increment(Request request) throws Exception {
        Running one = find(request);
        one.thread.submit(() -> {
            one.contender.increment(request.counterPath);
            return null;
        }).get();
        return true;
    }

    /** Ends the session in order, waiting or holding. */
    private Object end(Request request) throws Exception {
        Running one = find(request);
        running.remove(request.contender);
        one.thread.shutdownNow();
        one.contender.close();
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
            case "increment":
                return increment(request);
            case "end":
                return end(request);
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
        for (Running one : contenders.running.values()) {
            one.thread.shutdownNow();
            one.contender.close();
        }
        System.exit(0);
    }
}
