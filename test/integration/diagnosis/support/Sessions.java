import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.retry.RetryOneTime;

/** Curator sessions that take several locks each: one JSON line in, one JSON line out. Ends when its standard input ends. */
public final class Sessions {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, CuratorFramework> clients = new HashMap<>();
    private static final Map<String, Boolean> revoked = new ConcurrentHashMap<>();

    private static String open(String hosts, String session) throws Exception {
        CuratorFramework client = CuratorFrameworkFactory.newClient(hosts, 30_000, 15_000, new RetryOneTime(100));
        client.start();
        client.blockUntilConnected();
        clients.put(session, client);
        return Long.toString(client.getZookeeperClient().getZooKeeper().getSessionId());
    }

    private static Callable<?> acquire(JsonNode request) {
        CuratorFramework client = clients.get(request.get("session").asText());
        String path = request.get("path").asText();
        switch (request.get("recipe").asText()) {
            case "mutex":
                return withVoid(new InterProcessMutex(client, path)::acquire);
            case "revocable":
                InterProcessMutex mutex = new InterProcessMutex(client, path);
                mutex.makeRevocable(lock -> revoked.put(path, true));
                return withVoid(mutex::acquire);
            case "read":
                return withVoid(new InterProcessReadWriteLock(client, path).readLock()::acquire);
            case "write":
                return withVoid(new InterProcessReadWriteLock(client, path).writeLock()::acquire);
            case "semaphore":
                return new InterProcessSemaphoreV2(client, path, request.get("maxLeases").asInt())::acquire;
            default:
                throw new IllegalArgumentException("unknown recipe");
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static Callable<?> withVoid(Step step) {
        return () -> {
            step.run();
            return null;
        };
    }

    private static Object obey(String hosts, JsonNode request) throws Exception {
        switch (request.get("command").asText()) {
            case "open":
                return open(hosts, request.get("session").asText());
            case "take":
                Callable<?> acquire = acquire(request);
                Thread thread = new Thread(() -> {
                    try {
                        acquire.call();
                    } catch (Exception ended) {
                        // The test is over: its sessions end while they wait.
                        return;
                    }
                });
                thread.setDaemon(true);
                thread.start();
                return true;
            case "end_all":
                for (CuratorFramework client : clients.values()) client.close();
                clients.clear();
                return true;
            case "revoked":
                return revoked.containsKey(request.get("path").asText());
            default:
                throw new IllegalArgumentException("unknown command");
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode request = JSON.readTree(line);
            ObjectNode reply = JSON.createObjectNode();
            reply.put("id", request.get("id").asLong());
            try {
                reply.set("ok", JSON.valueToTree(obey(args[0], request)));
            } catch (Exception error) {
                reply.put("error", error.toString());
            }
            System.out.println(reply);
        }
        for (CuratorFramework client : clients.values()) client.close();
        System.exit(0);
    }
}
