import java.io.File;
import java.lang.reflect.Method;
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
        save(files, tree, database.getSessionWithTimeOuts());
        // Threads of the database would keep the program alive.
        System.exit(0);
    }

    /** Before 3.5 the method has no third argument, which asks for a sync of the disk. */
    private static void save(FileTxnSnapLog files, DataTree tree, Object sessions) throws Exception {
        for (Method method : FileTxnSnapLog.class.getMethods()) {
            if (!method.getName().equals("save")) continue;
            if (method.getParameterCount() == 2) method.invoke(files, tree, sessions);
            else method.invoke(files, tree, sessions, true);
            return;
        }
    }
}
