"""kazoo's first look at locks: connects, reads, prints one JSON line. Once per program, its import included."""

import json
import os
import sys
import time

START = time.perf_counter()

from kazoo.client import KazooClient  # noqa: E402


def walk(client, root):
    """Lists every node below a root; a node with children that are named like contenders is a lock."""
    locks = []
    left = [root]
    while left:
        path = left.pop()
        names = client.get_children(path)
        if any("-lock-" in name for name in names):
            locks.append(path)
        left.extend(path + "/" + name for name in names)
    return locks


def read(client, path):
    """The contenders of a lock in their order, each with name, owner, czxid and data."""
    contenders = []
    for name in sorted(client.get_children(path), key=lambda name: int(name[-10:])):
        data, stat = client.get(path + "/" + name)
        contenders.append((name, stat.ephemeralOwner, stat.czxid, data))
    return contenders


def main():
    kind, hosts, path = sys.argv[1:]
    client = KazooClient(hosts=hosts, timeout=60)
    client.start(timeout=30)
    queues = [read(client, lock) for lock in ([path] if kind == "queue" else walk(client, path))]
    holders = [queue[0] for queue in queues if queue]
    ms = (time.perf_counter() - START) * 1000
    contenders = sum(len(queue) for queue in queues)
    print(json.dumps({"ms": ms, "locks": len(queues), "contenders": contenders, "holders": len(holders)}), flush=True)
    client.stop()
    os._exit(0)


main()
