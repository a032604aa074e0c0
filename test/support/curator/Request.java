import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/** One line from the test. */
@JsonIgnoreProperties(ignoreUnknown = true)
final class Request {
    public long id;
    public String command;
    public String contender;
    public String recipe;
    public String path;
    public String counterPath;
    public String identifier;
    public int maxLeases = 1;
    public int sessionTimeoutMs = 30_000;
}
