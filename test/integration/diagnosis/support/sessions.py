"""kazoo sessions that take several locks each: one JSON line in, one JSON line out. Ends when its standard input ends."""

import json
import logging
import sys
import threading

from kazoo.client import KazooClient

logging.disable(logging.CRITICAL)

RECIPES = {
    "mutex": lambda client, request: client.Lock(request["path"]),
    "read": lambda client, request: client.ReadLock(request["path"]),
    "write": lambda client, request: client.WriteLock(request["path"]),
    "semaphore": lambda client, request: client.Semaphore(request["path"], max_leases=request["maxLeases"]),
}


def main():
    clients = {}
    locks = {}

    def take(request):
        lock = RECIPES[request["recipe"]](clients[request["session"]], request)
        locks[request["session"] + " " + request["path"]] = lock
        threading.Thread(target=lock.acquire, daemon=True).start()
        return True

    def obey(request):
        if request["command"] == "take":
            return take(request)
        if request["command"] == "release":
            locks[request["session"] + " " + request["path"]].release()
            return True
        if request["command"] == "end_all":
            for client in clients.values():
                client.stop()
            clients.clear()
            return True
        client = KazooClient(hosts=sys.argv[1], timeout=30)
        client.start(timeout=15)
        clients[request["session"]] = client
        return str(client.client_id[0])

    for line in sys.stdin:
        request = json.loads(line)
        reply = {"id": request["id"]}
        try:
            reply["ok"] = obey(request)
        except Exception as error:
            reply["error"] = type(error).__name__ + " " + str(error)
        print(json.dumps(reply), flush=True)
    for client in clients.values():
        client.stop()


main()
