"""kazoo's side of the benchmarks: one JSON line in, one JSON line out. Ends when its standard input ends."""

import json
import logging
import os
import sys
import threading
import time

from kazoo.client import KazooClient

logging.disable(logging.CRITICAL)


class Bench:
    def __init__(self, hosts):
        self.hosts = hosts
        self.open = []
        self.entered = None
        self.held = None

    def sessions(self, count):
        """Sessions stay open between measurements, so that opening them is not measured."""
        added = []
        while len(self.open) < count:
            client = self.connect(self.hosts)
            added.append(client)
            self.open.append(client)
        return self.open[:count]

    def connect(self, hosts):
        client = KazooClient(hosts=hosts, timeout=60)
        client.start(timeout=30)
        return client

    def read(self, request):
        """kazoo says who is in the queue, and nothing of owner, czxid or age."""
        (client,) = self.sessions(1)
        lock = client.Lock(request["path"], extra_lock_patterns=["-lock-"])
        start = time.perf_counter()
        contenders = lock.contenders()
        return {"ms": (time.perf_counter() - start) * 1000, "count": len(contenders)}

    def uncontended(self, request):
        (client,) = self.sessions(1)
        lock = client.Lock(request["path"], "bench")
        start = time.perf_counter()
        for _ in range(request["times"]):
            lock.acquire()
            lock.release()
        return {"ms": (time.perf_counter() - start) * 1000}

    def contended(self, request):
        """So many clients take turns until the lock has been granted so many times."""
        left = [request["handOvers"]]
        end = [0.0]
        ready = threading.Event()

        def work(lock):
            ready.wait()
            while left[0] > 0:
                lock.acquire()
                # Only the holder of the lock counts here, one at a time.
                left[0] -= 1
                if left[0] == 0:
                    end[0] = time.perf_counter()
                lock.release()

        threads = []
        for client in self.sessions(request["clients"]):
            threads.append(threading.Thread(target=work, args=(client.Lock(request["path"], "bench"),)))
        for thread in threads:
            thread.start()
        start = time.perf_counter()
        ready.set()
        for thread in threads:
            thread.join()
        return {"ms": (end[0] - start) * 1000}

    def enter(self, request):
        """Joins the queue by a session of its own; answers when it holds."""
        client = self.connect(request["hosts"])
        lock = client.Lock(request["path"], "bench", extra_lock_patterns=["-lock-"])
        lock.acquire()
        self.entered = (client, lock)
        return {}

    def leave(self, request):
        client, lock = self.entered
        lock.release()
        client.stop()
        client.close()
        return {}

    def attach(self, request):
        client = KazooClient(hosts=request["hosts"], timeout=request["timeoutMs"] / 1000)
        client.start(timeout=30)
        client.sync("/")
        self.held = (client, client.client_id[0])
        return {}

    def writeAgain(self, request):
        """Answers when the session has written, or is lost. A session that is lost is replaced by kazoo itself."""
        client, session = self.held
        while True:
            try:
                client.create(request["path"] + "/write-", ephemeral=True, sequence=True)
                return {"isLost": client.client_id[0] != session}
            except Exception:
                time.sleep(0.002)

    def letGo(self, request):
        client, _ = self.held
        client.stop()
        client.close()
        return {}

    def find(self, request):
        """Lists every node below a root; a node with children that are named like contenders is a lock."""
        (client,) = self.sessions(1)
        start = time.perf_counter()
        visited = 0
        found = 0
        left = [request["root"]]
        while left:
            path = left.pop()
            names = client.get_children(path)
            visited += 1
            if any("-lock-" in name or "__lock__" in name for name in names):
                found += 1
            left.extend(path + "/" + name for name in names)
        return {"ms": (time.perf_counter() - start) * 1000, "visited": visited, "found": found}


COMMANDS = {"read", "uncontended", "contended", "enter", "leave", "attach", "writeAgain", "letGo", "find"}


def main():
    bench = Bench(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"id": request["id"]}
        try:
            if request["command"] not in COMMANDS:
                raise ValueError("unknown command " + request["command"])
            reply["ok"] = getattr(bench, request["command"])(request)
        except Exception as error:
            reply["error"] = type(error).__name__ + " " + str(error)
        print(json.dumps(reply), flush=True)
    # The server goes next: 500 sessions need not be closed in order, and must not be when it has gone already.
    os._exit(0)


main()
