import java.io.File;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** Sets the number of the next sequential child of a node in the data of a server that does not run: folder, path, number. */
public class SetSequence {
    public static void main(String[] args) throws Exception {
        File folder = new File(args[0]);
        FileTxnSnapLog files = new FileTxnSnapLog(folder, folder);
        ZKDatabase database = new ZKDatabase(files);
        database.loadDataBase();
        DataTree tree = database.getDataTree();
        tree.setCversionPzxid(args[1], Integer.parseInt(args[2]), tree.lastProcessedZxid);
        files.save(tree, database.getSessionWithTimeOuts(), true);
        // Threads of the database would keep the program alive.
        System.exit(0);
    }
}
