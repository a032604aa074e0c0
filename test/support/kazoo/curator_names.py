"""kazoo's Lock under names that Curator sorts as its own."""

from kazoo.recipe.lock import Lock


class CuratorNamedLock(Lock):
    _NODE_NAME = "-lock-"

    def __init__(self, client, path, identifier=None):
        super().__init__(client, path, identifier, extra_lock_patterns=["-lock-"])
