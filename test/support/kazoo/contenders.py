"""
kazoo's own recipes on request: one JSON line in, one JSON line out. Ends when its standard input ends. Contenders that name the
same session share it, each with a thread of its own.
"""

import datetime
import json
import logging
import sys
import threading
import time

from curator_names import CuratorNamedLock
from kazoo.client import KazooClient

logging.disable(logging.CRITICAL)


class LockContender:
    """Everything that has `acquire` and `release`: Lock, ReadLock, WriteLock, Semaphore."""

    def __init__(self, lock):
        self.lock = lock
        self.has_returned = False

    def begin(self):
        self.has_returned = False
        self.lock.acquire()
        self.has_returned = True

    def release(self):
        self.lock.release()

    def holds(self):
        # A semaphore says `is_acquired` before it has left its inner queue, and again when `acquire` returns: one that is
        # released in between says so for good.
        return self.has_returned and bool(self.lock.is_acquired)

    def cancel(self):
        self.lock.cancel()


class ElectionContender:
    def __init__(self, election):
        self.election = election
        self.enough = threading.Event()
        self.leads = False

    def begin(self):
        self.election.run(self.lead)

    def lead(self):
        self.leads = True
        self.enough.wait()
        self.leads = False

    def release(self):
        self.enough.set()

    def holds(self):
        return self.leads

    def cancel(self):
        self.enough.set()
        self.election.cancel()


class LeaseContender:
    """NonBlockingLease: no queue; `begin` asks once for a lease of one hour."""

    def __init__(self, client, path, identifier):
        self.client = client
        self.path = path
        self.identifier = identifier
        self.lease = None

    def begin(self):
        self.lease = self.client.NonBlockingLease(
            self.path, datetime.timedelta(hours=1), identifier=self.identifier
        )

    def release(self):
        # kazoo offers no early end of a lease: it takes one again for no time at all.
        self.client.NonBlockingLease(self.path, datetime.timedelta(0), identifier=self.identifier)
        self.lease = None

    def holds(self):
        return bool(self.lease)

    def cancel(self):
        pass


class QueueContender:
    """LockingQueue: `begin` waits for an entry that no other client has taken; `release` gives it back."""

    def __init__(self, queue):
        self.queue = queue

    def begin(self):
        self.queue.get()

    def release(self):
        self.queue.release()

    def holds(self):
        return self.queue.holds_lock()

    def cancel(self):
        pass


class Running:
    def __init__(self, client, contender):
        self.client = client
        self.contender = contender
        self.failure = None
        self.since = None
        self.thread = None

    def begin(self):
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            self.contender.begin()
            self.since = time.monotonic() * 1000
        except Exception as error:
            self.failure = type(error).__name__ + " " + str(error)


class Contenders:
    def __init__(self, hosts):
        self.hosts = hosts
        self.running = {}
        self.clients = {}
        # What kazoo's watchers were called with, in order, by contender and path.
        self.seen_by = {}

    def start(self, request):
        name = request.get("session", "of " + request["contender"])
        if name not in self.clients:
            self.clients[name] = self.open(request)
        client = self.clients[name]
        self.running[request["contender"]] = Running(client, self.make(client, request))
        return str(client.client_id[0])

    def open(self, request):
        client = KazooClient(hosts=self.hosts, timeout=request.get("sessionTimeoutMs", 30000) / 1000)
        client.start(timeout=15)
        return client

    def make(self, client, request):
        recipe, path, identifier = request["recipe"], request["path"], request.get("identifier")
        if recipe == "lock":
            return LockContender(client.Lock(path, identifier))
        if recipe == "lockBesideGo":
            return LockContender(client.Lock(path, identifier, extra_lock_patterns=["-lock-"]))
        if recipe == "curatorNamedLock":
            return LockContender(CuratorNamedLock(client, path, identifier))
        if recipe == "read":
            return LockContender(client.ReadLock(path, identifier))
        if recipe == "write":
            return LockContender(client.WriteLock(path, identifier))
        if recipe == "semaphore":
            return LockContender(client.Semaphore(path, identifier, max_leases=request.get("maxLeases", 1)))
        if recipe == "election":
            return ElectionContender(client.Election(path, identifier))
        if recipe == "lease":
            return LeaseContender(client, path, identifier)
        if recipe == "lockingQueue":
            return QueueContender(client.LockingQueue(path))
        raise ValueError("unknown recipe " + recipe)

    def begin(self, request):
        self.running[request["contender"]].begin()

    def release(self, request):
        self.running[request["contender"]].contender.release()

    def increment(self, request):
        client = self.running[request["contender"]].client
        number = int(client.get(request["counterPath"])[0])
        client.set(request["counterPath"], str(number + 1).encode())

    def count(self, request):
        """kazoo's Counter: adds one, so often. Says its value then."""
        counter = self.running[request["contender"]].client.Counter(request["path"])
        for _ in range(request["times"]):
            counter += 1
        return counter.value

    def watch(self, request):
        """kazoo's ChildrenWatch (names, sorted) or DataWatch (text, or nothing) of a path."""
        client, path = self.running[request["contender"]].client, request["path"]
        seen = self.seen_by.setdefault(request["contender"] + " " + path, [])
        if request["what"] == "children":
            client.ChildrenWatch(path, lambda names: seen.append(sorted(names)))
        else:
            client.DataWatch(path, lambda data, stat: seen.append(None if data is None else data.decode()))

    def seen(self, request):
        return self.seen_by[request["contender"] + " " + request["path"]]

    def cancel(self, request):
        """Leaves the queue; the session stays."""
        one = self.running.pop(request["contender"])
        if one.contender.holds():
            one.contender.release()
        else:
            one.contender.cancel()

    def end(self, request):
        """Ends the session in order, whoever of its contenders waits or holds."""
        client = self.running[request["contender"]].client
        for name, one in list(self.running.items()):
            if one.client is client:
                one.contender.cancel()
                del self.running[name]
        self.clients = {name: other for name, other in self.clients.items() if other is not client}
        client.stop()
        client.close()

    def states(self, request):
        return {
            name: {"holds": one.contender.holds(), "failure": one.failure, "since": one.since}
            for name, one in self.running.items()
        }

    def contenders_of(self, request):
        """What kazoo's own Lock says about who is in the queue, and how long (seconds) it took to say so."""
        lock = self.running[request["contender"]].client.Lock(request["path"])
        before = datetime.datetime.now()
        names = lock.contenders()
        return {"count": len(names), "seconds": (datetime.datetime.now() - before).total_seconds()}

    def stop(self):
        for client in self.clients.values():
            client.stop()
            client.close()


COMMANDS = {
    "start",
    "begin",
    "release",
    "cancel",
    "increment",
    "count",
    "watch",
    "seen",
    "end",
    "states",
    "contenders_of",
}


def main():
    contenders = Contenders(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"id": request["id"]}
        try:
            if request["command"] not in COMMANDS:
                raise ValueError("unknown command " + request["command"])
            reply["ok"] = getattr(contenders, request["command"])(request)
        except Exception as error:
            reply["error"] = type(error).__name__ + " " + str(error)
        print(json.dumps(reply), flush=True)
    contenders.stop()


main()
