import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/** One line from the test. */
@JsonIgnoreProperties(ignoreUnknown = true)
final class Request {
    public long id;
    public String command;
    public String contender;
    public String recipe;
    public String path;
    /** Of a lock of several paths. */
    public List<String> paths;
    public String counterPath;
    public String identifier;
    /** Contenders that name the same session share it, each with a thread of its own; null: a session of its own. */
    public String session;
    public int maxLeases = 1;
    public int sessionTimeoutMs = 30_000;
}
