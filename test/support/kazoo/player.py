"""
A program that takes and releases a lock with kazoo, again and again, on request: one JSON line in, one JSON line out, as
test/chaos/lockWorker.ts does with our recipes. It trusts its lock as long as `acquire` has returned and `release` was not called,
and notes when kazoo first reported a lost connection meanwhile.
"""

import json
import logging
import random
import socket
import sys
import threading
import time

from curator_names import CuratorNamedLock
from kazoo.client import KazooClient, KazooState
from kazoo.exceptions import LockTimeout

logging.disable(logging.CRITICAL)


def now():
    """The clock that all programs of a machine share, ms."""
    return time.monotonic() * 1000


class Player:
    def __init__(self, play):
        self.play = play
        self.random = random.Random(play["seed"])
        self.clients = []
        self.ended = False
        # Set while a fault is played: locks are held for as long as the play allows.
        self.clings = False
        self.holds = False
        # Since when the connection is lost, and when it was first lost during the present lease.
        self.trouble = None
        self.suspended = None
        self.held = []
        self.failures = []
        self.sessions = []
        self.counts = {"acquired": 0, "timedOut": 0, "cancelled": 0, "sessionsLost": 0}

    def run(self):
        end = now() + self.play["durationMs"]
        client = self.open()
        while now() < end:
            try:
                self.attempt(client, end)
            except LockTimeout:
                self.counts["timedOut"] += 1
            except Exception as error:
                self.failures.append(type(error).__name__)
                time.sleep(0.05)
            time.sleep(self.random.random() * 0.004)
        return {"held": self.held, "counts": self.counts, "sessions": self.sessions, "failures": self.failures}

    def open(self):
        client = KazooClient(hosts=self.play["connectString"], timeout=self.play["sessionTimeoutMs"] / 1000)
        client.add_listener(self.on_state)
        self.clients.append(client)
        client.start_async().wait(60)
        return client

    def on_state(self, state):
        if state == KazooState.CONNECTED:
            self.trouble = None
            self.sessions.append(str(self.clients[0].client_id[0]))
            return
        if self.trouble is None:
            self.trouble = now()
        if self.suspended is None:
            self.suspended = self.trouble
        if state == KazooState.LOST and not self.ended:
            self.counts["sessionsLost"] += 1

    def attempt(self, client, end):
        lock = self.lock(client)
        remaining = max(0.1, (end - now()) / 1000) + 5
        if not lock.acquire(timeout=0.15 if self.random.random() < 0.3 else remaining):
            self.counts["timedOut"] += 1
            return
        held = {"recipe": "mutex", "from": now(), "until": 0, "path": lock.path + "/" + lock.node}
        self.suspended = self.trouble
        self.counts["acquired"] += 1
        token, read = self.enter(client, held)
        self.holds = True
        time.sleep(self.random.random() * 0.03)
        while self.clings and now() < held["from"] + self.play["longHoldMs"]:
            time.sleep(0.004)
        self.holds = False
        self.leave(held, token, read)
        held["until"] = now()
        if self.suspended is not None:
            held["suspendedAt"] = max(self.suspended, held["from"])
        self.held.append(held)
        lock.release()

    def lock(self, client):
        if self.play["recipe"] == "curatorNamedLock":
            return CuratorNamedLock(client, self.play["lockPath"])
        return client.Lock(self.play["lockPath"])

    def enter(self, client, held):
        """Reads its fencing token and the register; both `None` where a server or the register refuses."""
        try:
            stat = client.exists(held["path"])
        except Exception as error:
            self.failures.append("token: " + type(error).__name__)
            return None, None
        if stat is None:
            return None, None
        held["token"] = str(stat.czxid)
        return held["token"], self.ask("read %s %s" % (self.play["lockPath"], held["token"]))

    def leave(self, held, token, read):
        if token is None:
            return
        written = None if read is None else self.ask("write %s %s %d" % (self.play["lockPath"], token, read + 1))
        held["accepted"] = written is not None

    def ask(self, request):
        with socket.create_connection(("127.0.0.1", self.play["registerPort"])) as connection:
            connection.sendall((request + "\n").encode())
            line = connection.makefile().readline().strip()
        return None if line == "refused" else int(line)

    def end(self):
        self.ended = True
        for client in self.clients:
            client.stop()
            client.close()


def reply(request, work):
    answer = {"id": request["id"]}
    try:
        answer["ok"] = work()
    except Exception as error:
        answer["error"] = type(error).__name__ + " " + str(error)
    print(json.dumps(answer), flush=True)


def main():
    player = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["command"] == "play":
            player = Player(request["play"])
            threading.Thread(target=reply, args=(request, player.run), daemon=True).start()
        elif request["command"] == "cling":
            if player is not None:
                player.clings = request["on"]
            reply(request, lambda: player is not None and player.holds)
        else:
            reply(request, lambda: player is None or player.end() or True)


main()
