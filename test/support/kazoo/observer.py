"""Looks at and changes a ZooKeeper on request: one JSON line in, one JSON line out. Independent of the client under test.

Ids (czxid, ephemeralOwner, session ids) travel as decimal strings, since they need 64 bits; data travel as base64.
Every command takes `session`, the name of an opened session; without it the session `main` is used.
"""

import base64
import json
import logging
import sys

from kazoo.client import KazooClient
from kazoo.exceptions import NoNodeError, NodeExistsError
from kazoo.security import make_acl

logging.disable(logging.CRITICAL)


def stat_fields(stat):
    return {
        "czxid": str(stat.czxid),
        "mzxid": str(stat.mzxid),
        "pzxid": str(stat.pzxid),
        "ctime": stat.ctime,
        "mtime": stat.mtime,
        "version": stat.version,
        "cversion": stat.cversion,
        "aversion": stat.aversion,
        "ephemeralOwner": str(stat.ephemeralOwner),
        "dataLength": stat.dataLength,
        "numChildren": stat.numChildren,
    }


def node_fields(path, data, stat):
    return {
        "path": path,
        "name": path.rsplit("/", 1)[1],
        "data": base64.b64encode(data or b"").decode("ascii"),
        **stat_fields(stat),
    }


class Observer:
    def __init__(self, hosts):
        self.hosts = hosts
        self.sessions = {}
        self.open({"session": "main"})

    def client(self, request):
        return self.sessions[request.get("session", "main")]

    def open(self, request):
        client = KazooClient(hosts=self.hosts, timeout=request.get("timeout", 30))
        client.start(timeout=15)
        self.sessions[request["session"]] = client
        return str(client.client_id[0])

    def close(self, request):
        client = self.sessions.pop(request["session"])
        client.stop()
        client.close()

    def ls(self, request):
        client = self.client(request)
        path = request["path"]
        names = client.get_children(path)
        reads = [client.get_async(path.rstrip("/") + "/" + name) for name in names]
        nodes = []
        for name, read in zip(names, reads):
            try:
                data, stat = read.get()
            except NoNodeError:
                continue  # deleted between the listing and the read
            nodes.append(node_fields(path.rstrip("/") + "/" + name, data, stat))
        return sorted(nodes, key=lambda node: int(node["czxid"]))

    def get(self, request):
        try:
            data, stat = self.client(request).get(request["path"])
        except NoNodeError:
            return None
        return node_fields(request["path"], data, stat)

    def create(self, request):
        return self.client(request).create(
            request["path"],
            base64.b64decode(request.get("data", "")),
            acl=self.acl(request),
            ephemeral=request.get("ephemeral", False),
            sequence=request.get("sequence", False),
            makepath=True,
        )

    def create_many(self, request):
        client = self.client(request)
        made = []
        pending = []
        for node in request["nodes"]:
            pending.append(
                client.create_async(
                    node["path"],
                    base64.b64decode(node.get("data", "")),
                    ephemeral=node.get("ephemeral", False),
                    sequence=node.get("sequence", False),
                )
            )
            if len(pending) >= 500:
                made += [one.get() for one in pending]
                pending = []
        return made + [one.get() for one in pending]

    def set(self, request):
        stat = self.client(request).set(request["path"], base64.b64decode(request["data"]))
        return stat_fields(stat)

    def delete(self, request):
        try:
            self.client(request).delete(request["path"], recursive=request.get("recursive", False))
        except NoNodeError:
            return False
        return True

    def ensure(self, request):
        try:
            self.client(request).create(request["path"], makepath=True)
        except NodeExistsError:
            pass

    def set_acl(self, request):
        client = self.client(request)
        client.set_acls(request["path"], self.acl(request))

    def sync(self, request):
        return self.client(request).sync(request["path"])

    def add_auth(self, request):
        self.client(request).add_auth(request["scheme"], request["credential"])

    def acl(self, request):
        if "acl" not in request:
            return None
        return [
            make_acl(
                entry["scheme"],
                entry["id"],
                read="r" in entry["permissions"],
                write="w" in entry["permissions"],
                create="c" in entry["permissions"],
                delete="d" in entry["permissions"],
                admin="a" in entry["permissions"],
            )
            for entry in request["acl"]
        ]

    def end(self):
        for client in self.sessions.values():
            client.stop()
            client.close()


COMMANDS = {
    "open", "close", "ls", "get", "create", "create_many", "set", "delete", "ensure", "set_acl", "sync", "add_auth",
}


def main():
    observer = Observer(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"id": request["id"]}
        try:
            if request["command"] not in COMMANDS:
                raise ValueError("unknown command " + request["command"])
            reply["ok"] = getattr(observer, request["command"])(request)
        except Exception as error:
            reply["error"] = type(error).__name__ + " " + str(error)
        print(json.dumps(reply), flush=True)
    observer.end()


main()
