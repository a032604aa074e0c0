import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Curator's side of the benchmarks: one JSON line in, one JSON line out. Ends when its standard input ends. */
public final class Bench {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final QueueReading reading;
    private final MutexWork mutexes;
    private final Failover failover = new Failover();

    private Bench(String hosts) throws Exception {
        Sessions sessions = new Sessions(hosts);
        reading = new QueueReading(sessions);
        mutexes = new MutexWork(sessions);
    }

    private Object obey(JsonNode request) throws Exception {
        String path = request.path("path").asText();
        switch (request.path("command").asText()) {
            case "read":
                return reading.oneByOne(path);
            case "readInBackground":
                return reading.inBackground(path);
            case "uncontended":
                return mutexes.uncontended(path, request.path("times").asInt());
            case "contended":
                return mutexes.contended(path, request.path("clients").asInt(), request.path("handOvers").asInt());
            case "enter":
                return mutexes.enter(path, request.path("hosts").asText());
            case "leave":
                return mutexes.leave();
            case "attach":
                return failover.attach(request.path("hosts").asText(), request.path("timeoutMs").asInt());
            case "writeAgain":
                return failover.writeAgain(path);
            case "letGo":
                return failover.letGo();
            default:
                throw new IllegalArgumentException("unknown command " + request.path("command"));
        }
    }

    public static void main(String[] args) throws Exception {
        Bench bench = new Bench(args[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode request = JSON.readTree(line);
            Map<String, Object> reply = new LinkedHashMap<>();
            reply.put("id", request.path("id").asLong());
            try {
                reply.put("ok", bench.obey(request));
            } catch (Exception error) {
                reply.put("error", error.toString());
            }
            System.out.println(JSON.writeValueAsString(reply));
        }
        System.exit(0);
    }
}
