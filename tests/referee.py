#!/usr/bin/env python3
"""referee.py FILE...: says of schedules in Σ files whether they can have happened.

Written from docs/sigma.md alone; shares no code with sigma/, and decides some things in another way on
purpose. Prints `FILE: ok` or `FILE:LINE: what is wrong` for each, and exits 1 if anything is. With --stream
[LEAST] it reads many files from standard input with another's verdict in front of each, as tests/mutants.c
writes them, and compares.
"""
import re, sys

FAMILIES = {"m": "mutex", "r": "rwlock", "p": "spin", "c": "cond", "b": "barrier", "s": "semaphore",
            "o": "once", "a": "atomic", "f": "futex"}
STANDS = ("lock", "rdlock", "join", "acquire", "wait-depart", "barrier-depart")
CANCELLABLE = ("wait-depart", "join", "acquire", "testcancel")
JOIN_FAILS = {"busy", "timedout", "deadlk", "inval", "srch", "failed"}
# word: (operands, families of the object, outcomes beside ok)
EVENTS = {
    "enter": ("F", "", ()),
    "exit": ("s", "", ("ended",)),
    "create": ("St", "", ("again", "inval", "perm", "nomem", "failed")),
    "join": ("St", "", JOIN_FAILS | {"cancelled"}),
    "detach": ("St", "", ("inval", "srch", "failed")),
    "cancel": ("St", "", ("srch",)),
    "testcancel": ("S", "", ("cancelled",)),
    "lock": ("SO", "mrp", None),
    "rdlock": ("SO", "r", ("busy", "timedout", "deadlk", "again", "inval")),
    "unlock": ("SO", "mrp", None),
    "wait-arrive": ("SOM", "c", ("perm", "inval", "failed")),
    "wait-depart": ("SOM", "c", ("timedout", "ownerdead", "notrecoverable", "spurious", "cancelled")),
    "signal": ("SO", "c", ("inval", "failed")),
    "broadcast": ("SO", "c", ("inval", "failed")),
    "barrier-arrive": ("SO", "b", ("inval",)),
    "barrier-depart": ("SO", "b", ("serial",)),
    "acquire": ("SO", "s", ("cancelled", "again", "timedout", "intr", "inval")),
    "post": ("SO", "s", ("overflow", "inval")),
    "once": ("SO", "o", ("ran", "inval")),
    "once-begin": ("SO", "o", ("ran",)),
    "once-end": ("SO", "o", ()),
    "once-abort": ("SO", "o", ()),
    "atomic": ("SOE", "a", ("anew",)),
    "await": ("S", "", ()),
    "fence": ("SE", "", ()),
    "unmodelled": ("So", "mrpcbsaof", ()),
    "call": ("S", "", ()),
    "ret": ("S", "", ()),
    "unwind": ("S", "", ()),
    "callback": ("F", "", ()),
    "jump": ("S", "", ()),
}
LOCK_OUTCOMES = {
    ("lock", "m"): {"busy", "timedout", "deadlk", "again", "ownerdead", "notrecoverable", "inval", "failed"},
    ("lock", "r"): {"busy", "timedout", "deadlk", "again", "inval"},
    ("lock", "p"): {"busy", "deadlk"},
    ("unlock", "m"): {"perm", "inval", "failed"},
    ("unlock", "r"): {"perm", "inval"},
    ("unlock", "p"): {"perm", "inval"},
}


class Wrong(Exception):
    def __init__(self, line, why):
        super().__init__(why)
        self.line = line


class Unread(Wrong):
    """The file is not one, or names what is not there; nothing is said about what happened."""


def words_of(line, number):
    if b'"' not in line and b"#" not in line and b"when" not in line:  # as nearly all are
        return [("w", w.decode()) for w in line.split()]
    if re.match(rb"[ \t]*when[ \t]", line):  # terms are not the referee's business
        return [("w", "when"), ("w", "")]
    found, at = [], 0
    while at < len(line):
        if line[at] in b" \t":
            at += 1
        elif line[at] == ord("#"):
            break
        elif line[at] == ord('"'):
            m = re.compile(rb'"((?:[^"\\]|\\(?:["\\ntr]|x[0-9a-fA-F]{2}))*)"(?=[ \t]|$)').match(line, at)
            if not m:
                raise Unread(number, "bad quotes")
            found.append(("q", m.group(1)))
            at = m.end()
        else:
            m = re.compile(rb'[^ \t"]+(?!")').match(line, at)
            if not m or (m.end() < len(line) and line[m.end()] not in b" \t"):
                raise Unread(number, "a quote in a word")
            found.append(("w", m.group(0).decode()))
            at = m.end()
    return found


def decimal(word):
    return word.isascii() and word.isdigit() and (word[0] != "0" or word == "0")


OPERATION = {word: re.sub("-(arrive|depart)$", "", word) for word in EVENTS}
EVERY_OUTCOME = {"ok"}.union(*(x[2] or () for x in EVENTS.values()), *LOCK_OUTCOMES.values())


class Event:
    __slots__ = ("line", "thread", "word", "site", "object", "mutex", "other", "outcome", "effect")

    def __init__(self, line, thread, word):
        self.line, self.thread, self.word = line, thread, word
        self.site = self.object = self.mutex = self.other = self.effect = None
        self.outcome = "ok"


ORDERS = {"relaxed": "rwu", "acquire": "ruf", "release": "wuf", "acq-rel": "uf", "seq-cst": "rwuf"}


def effect_of(number, word, words):
    """What an atomic operation did: kind, order, first byte, bytes, what it read and wrote (None: not known)."""
    kind = "f" if word == "fence" else {"read": "r", "write": "w", "update": "u"}.get(words[0])
    rest = words if kind == "f" else words[1:]
    if kind is None or kind not in ORDERS.get(rest[0] if rest else "", ""):
        raise Unread(number, "effect")
    order, rest = rest[0], rest[1:]
    if kind == "f":
        if rest:
            raise Unread(number, "effect")
        return kind, order, 0, 0, None, None
    if not rest or rest[0] not in ("1", "2", "4", "8") or len(rest) % 2 == 0:
        raise Unread(number, "effect")
    size, said, names = int(rest[0]), {}, rest[1::2]
    if names != [n for n in ("at", "was", "now") if n in names]:
        raise Unread(number, "effect")
    for name, value in zip(names, rest[2::2]):
        if not decimal(value) or (name != "at" and int(value) >= 256 ** size):
            raise Unread(number, "effect")
        said[name] = int(value)
    if said.get("at", 1) == 0 or said.get("at", 0) % size or said.get("at", 0) + size > 8:
        raise Unread(number, "effect")
    if (kind == "r" and "now" in said) or (kind == "w" and "was" in said):
        raise Unread(number, "effect")
    return kind, order, said.get("at", 0), size, said.get("was"), said.get("now")


class File:
    """The lines, resolved."""

    def __init__(self, data):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as e:
            raise Unread(1, str(e))
        if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", data):
            raise Unread(1, "control character")
        if not data.endswith(b"\n"):
            raise Unread(data.count(b"\n") + 1, "cut short")
        self.rest, self.now = enumerate(data[:-1].split(b"\n"), 1), None
        self.last = data.count(b"\n")
        self.go_on()
        self.sites, self.schedules = [], []
        self.read()

    def go_on(self):
        """To the next line that says something; `now` is its number and its words."""
        for number, line in self.rest:
            words = words_of(line, number)
            if words:
                self.now = number, words
                return
        self.now = None

    def head(self):
        if self.now is None:
            return None
        kind, word = self.now[1][0]
        return word if kind == "w" else ""

    def take(self, word):
        if self.head() != word:
            raise Unread(self.now[0] if self.now else self.last, f"no {word} line here")
        taken = self.now
        self.go_on()
        return taken

    def some(self, word):
        while self.head() == word:
            yield self.take(word)

    def read(self):
        number, words = self.take("sigma")
        if words[1:] != [("w", "1")]:
            raise Unread(number, "version")
        for word in ("program", "module"):
            number, words = self.take(word)
            if len(words) != 2 or not words[1][1]:
                raise Unread(number, f"{word} takes one word")
        promised = None
        for number, words in list(self.some("schedules"))[:1]:
            if len(words) != 2 or not decimal(words[1][1]):
                raise Unread(number, "schedules")
            promised = int(words[1][1])
        atomics = [[w for _, w in words[1:]] for _, words in self.some("atomics")]
        if any(len(x) != 1 or not x[0] or atomics.count(x) > 1 for x in atomics) or (
                len(atomics) > 1 and ["all"] in atomics):
            raise Unread(1, "atomics")
        excluded = [words for _, words in self.some("exclude")]
        if any(excluded.count(x) > 1 or len(x) != 3 or x[1][1] not in ("mutex", "spin") for x in excluded):
            raise Unread(1, "exclude")
        for number, words in self.some("site"):
            self.site(number, words)
        while self.head() == "schedule":
            self.schedules.append(Schedule(self))
        if self.head() is not None or len(self.schedules) != (1 if promised is None else promised):
            raise Unread(self.last, "not as many schedules as there should be")

    def site(self, number, words):
        rest = [w for _, w in words[1:]]
        mark = rest.pop() if len(rest) > 3 and rest[-1] in ("derived", "excluded") else None
        derived, excluded = mark == "derived", mark == "excluded"
        if excluded and rest[2:3] not in (["lock"], ["unlock"]):
            raise Unread(number, "excluded")
        known = {re.sub("-(arrive|depart)$", "", w) for w in EVENTS} - {"enter", "ret", "unwind", "callback"}
        if len(rest) not in (3, 4) or rest[0] != str(len(self.sites)) or rest[2] not in known:
            raise Unread(number, "site")
        place = r".+:(0|[1-9]\d*):(0|[1-9]\d*)"
        if len(rest) == 4 and words[4][0] == "w" and not re.fullmatch(place, rest[3]):
            raise Unread(number, "place")
        if any(name == rest[1] for name, _, _, _ in self.sites):
            raise Unread(number, "the same site twice")
        self.sites.append((rest[1], rest[2], derived or rest[2] == "call", excluded))


class Object:
    def __init__(self, name):
        self.name, self.family = name, name[0]
        self.recursive = self.robust = self.prefer_writer = self.shared = False
        self.count = None


class Schedule:
    def __init__(self, f):
        self.file = f
        self.line, words = f.take("schedule")
        if words[1:] != [("w", str(len(f.schedules)))]:
            raise Unread(self.line, "number of the schedule")
        f.take("origin")
        list(f.some("env"))
        for number, words in f.some("input"):
            kind = [w for _, w in words[2:]]
            if kind != ["lost"] and (len(kind), kind[:1]) not in ((2, ["copy"]), (3, ["hash"])):
                raise Unread(number, "input")
        crash = [words for _, words in list(f.some("crash"))[:1]]
        if crash:
            list(f.some("frame"))
        for word, choice in (("order", r"hb|total"), ("at", r"main(:.+:[1-9]\d*)?"), ("when", None)):
            number, words = f.take(word)
            if choice and (len(words) != 2 or (words[1][0] == "w" and not re.fullmatch(choice, words[1][1]))):
                raise Unread(number, word)
        self.incomplete = f.head() == "incomplete"
        if self.incomplete:
            f.take("incomplete")
        if f.head() == "left-out":
            f.take("left-out")
        for number, words in f.some("outside"):
            if len(words) != 4 or not all(decimal(w) for _, w in words[2:]):
                raise Unread(number, "outside")
        self.objects, self.threads, self.events = {}, 1, []
        for number, words in f.some("object"):
            self.declare(number, words)
        while f.head() not in (None, "end", "stands"):
            self.events.append(self.event(*f.now))
            f.go_on()
        before = -1
        for number, words in f.some("stands"):
            e = self.event(number, words[1:])
            joins = e.word == "join" and e.other is None
            if not self.incomplete or e.word not in STANDS or e.outcome != "ok" or e.thread <= before or joins:
                raise Unread(number, "stands")
            if e.object and e.object.family not in EVENTS[e.word][1]:
                raise Unread(number, "kind of object")
            before = e.thread
        number, words = f.take("end")
        if len(words) > 2 or (len(words) == 2 and words[1] != ("w", str(len(self.events)))):
            raise Unread(number, "number of events")
        for c in crash:
            if len(c) != 3:
                raise Unread(number, "crash")
            self.thread(number, c[1][1], self.threads)

    def object(self, number, word):
        if word in self.objects:
            return self.objects[word]
        if not re.fullmatch(r"[mrpcbsaof](0|[1-9]\d{0,8})", word):
            raise Unread(number, f"{word} is no object")
        self.objects[word] = Object(word)
        return self.objects[word]

    def declare(self, number, words):
        words = [w for _, w in words]
        if len(words) < 3 or words[1] in self.objects:
            raise Unread(number, "object")
        o = self.object(number, words[1])
        if words[2] != FAMILIES[o.family]:
            raise Unread(number, "kind of object")
        i = 3
        while i < len(words):
            if words[i] in ("recursive", "robust") and o.family == "m" and not getattr(o, words[i]):
                setattr(o, words[i], True)
            elif words[i] == "prefer-writer" and o.family == "r" and not o.prefer_writer:
                o.prefer_writer = True
            elif words[i] == "shared" and o.family not in "oaf" and not o.shared:
                o.shared = True
            elif words[i] == "count" and o.family in "bs" and o.count is None and i + 1 < len(words):
                o.count = self.count(number, words[i + 1])
                i += 1
            elif words[i] == "name" and i + 1 < len(words):
                i += 1
            else:
                raise Unread(number, words[i])
            i += 1
        if o.family == "b" and o.count == 0:
            raise Unread(number, "count")

    def count(self, number, word):
        if not decimal(word):
            raise Unread(number, "count")
        return int(word)

    def thread(self, number, word, limit):
        digits = word[1:]
        if word[:1] != "t" or not digits or len(digits) > 9 or not decimal(digits) or int(digits) >= limit:
            raise Unread(number, f"no thread {word}")
        return int(digits)

    def event(self, number, words):
        quoted, words = [k == "q" for k, _ in words], [w for _, w in words]
        if quoted[0] or len(words) < 2 or quoted[1] or words[1] not in EVENTS:
            raise Unread(number, "no event")
        e = Event(number, self.thread(number, words[0], self.threads), words[1])
        rest = words[2:]
        if "=" in rest[-2:-1]:
            e.outcome = rest[-1]
            rest = rest[:-2]
        shape = EVENTS[e.word][0]
        for letter in shape:
            if not rest and letter in "sto":
                continue
            if not rest:
                raise Unread(number, "too short")
            if letter == "E":
                e.effect, rest = effect_of(number, e.word, rest), []
                continue
            self.operand(e, letter, rest.pop(0))
        if rest:
            raise Unread(number, "too long")
        if "t" in shape and e.other is None and e.outcome == "ok":
            raise Unread(number, "no thread")
        misplaced = (e.outcome == "anew" and e.word != "atomic"
                     or e.outcome == "spurious" and e.word != "wait-depart"
                     or e.outcome == "cancelled" and e.word not in CANCELLABLE
                     or e.outcome == "ended" and (e.word != "exit" or e.site is not None))
        if e.outcome not in EVERY_OUTCOME or misplaced:
            raise Unread(number, "no outcome")
        return e

    def operand(self, e, letter, word):
        if letter in "Ss":
            if not decimal(word) or int(word) >= len(self.file.sites):
                raise Unread(e.line, f"no site {word}")
            e.site = int(word)
        elif letter in "Oo":
            e.object = self.object(e.line, word)
        elif letter == "M":
            e.mutex = self.object(e.line, word)
        elif letter == "t" and e.word == "create":
            e.other = self.thread(e.line, word, self.threads + 1)
            if e.other != self.threads:
                raise Unread(e.line, f"{word} is not the next thread")
            self.threads += 1
        elif letter == "t":
            e.other = self.thread(e.line, word, self.threads)


# What happens --------------------------------------------------------------------------------------------


class Lock:
    def __init__(self, o):
        self.o, self.owner, self.depth, self.ever_dead = o, None, 0, False

    def take(self, e, game):
        if self.owner is None:
            self.owner, self.depth = e.thread, 1
        elif self.owner == e.thread and self.o.recursive:
            self.depth += 1
        else:
            raise Wrong(e.line, f"{self.o.name} is held")

    def inherit(self, e, game):
        if not self.o.robust or self.owner is None or not game.threads[self.owner].gone:
            raise Wrong(e.line, f"{self.o.name} has no dead owner")
        self.owner, self.depth, self.ever_dead = e.thread, 1, True

    def give(self, e):
        if self.owner != e.thread:
            raise Wrong(e.line, f"{self.o.name} is not held by t{e.thread}")
        self.depth -= 1
        if not self.depth:
            self.owner = None

    def play(self, e, game):
        mine = self.owner == e.thread
        if e.word == "unlock":
            if e.outcome == "ok":
                self.give(e)
            elif e.outcome == "perm" and mine:
                raise Wrong(e.line, "perm by the owner")
            return
        if e.outcome == "ok":
            self.take(e, game)
        elif e.outcome == "ownerdead":
            self.inherit(e, game)
        legal = {
            "busy": self.owner is not None and not (mine and self.o.recursive),
            "deadlk": mine and not self.o.recursive,
            "again": mine and self.o.recursive,
            "notrecoverable": self.ever_dead,
        }
        legal["busy"] &= not (self.o.robust and self.owner is not None and game.threads[self.owner].gone)
        legal["timedout"] = legal["busy"]
        if not legal.get(e.outcome, True):
            raise Wrong(e.line, f"{self.o.name} cannot be {e.outcome}")


class Cell:
    def __init__(self, o):
        self.bytes = [None] * 8
        self.written = self.last = None  # lines

    def play(self, e, game):
        kind, _, first, size, was, now = e.effect
        reads = kind == "r" and e.outcome != "anew"
        begun, since = game.threads[e.thread].awaits, self.written if reads else self.last
        if begun is not None and (kind == "w" or since is not None and since > begun):
            raise Wrong(e.line, "came to the cell since the wait began")
        self.last = e.line
        if not reads:
            self.written = e.line
        for i in range(size):
            known = None if e.outcome == "anew" else self.bytes[first + i]
            if was is not None and known is not None and known != was >> 8 * i & 255:
                raise Wrong(e.line, f"byte {first + i} is {known}")
        value = was if kind == "r" else now
        for i in range(size):
            if value is not None:
                self.bytes[first + i] = value >> 8 * i & 255
            elif kind != "r" or e.outcome == "anew":
                self.bytes[first + i] = None


class Rwlock:
    def __init__(self, o):
        self.o, self.writer, self.readers = o, None, {}

    def play(self, e, game):
        t, mine = e.thread, self.writer == e.thread or e.thread in self.readers
        if e.word == "unlock" and e.outcome == "ok":
            if t in self.readers:
                self.readers[t] -= 1
                if not self.readers[t]:
                    del self.readers[t]
            elif self.writer == t:
                self.writer = None
            else:
                raise Wrong(e.line, "not held")
        elif e.word == "unlock":
            if e.outcome == "perm" and mine:
                raise Wrong(e.line, "perm by a holder")
        elif e.outcome == "ok":
            if self.writer is not None or (e.word == "lock" and self.readers):
                raise Wrong(e.line, "held")
            if e.word == "lock":
                self.writer = t
            else:
                self.readers[t] = self.readers.get(t, 0) + 1
        elif e.outcome in ("busy", "timedout"):
            by_readers = self.readers and (e.word == "lock" or self.o.prefer_writer)
            if self.writer is None and not by_readers:
                raise Wrong(e.line, "free")
        elif e.outcome == "deadlk" and not mine:
            raise Wrong(e.line, "not its own")


class Cond:
    def __init__(self, o):
        self.mutex, self.waiting, self.signals, self.broadcasts = None, 0, [], []

    def play(self, e, game):
        if e.word in ("signal", "broadcast"):
            if e.outcome == "ok":
                (self.signals if e.word == "signal" else self.broadcasts).append(game.now)
            return
        if e.mutex.family != "m":
            raise Wrong(e.line, "no mutex")
        lock = game.state(e.mutex)
        if e.word == "wait-arrive":
            if e.outcome == "ok":
                if self.waiting and self.mutex is not e.mutex:
                    raise Wrong(e.line, "two mutexes")
                self.mutex = e.mutex
                self.waiting += 1
                lock.give(e)
            return
        self.waiting -= 1
        # Departures in their order, each takes the first signal that is left: as good as any other choice.
        since = game.threads[e.thread].arrived_at
        if e.outcome == "ok" and not any(b > since for b in self.broadcasts):
            left = [s for s in self.signals if s > since]
            if not left:
                raise Wrong(e.line, "nothing woke it")
            self.signals.remove(left[0])
        if e.outcome == "ownerdead":
            lock.inherit(e, game)
        elif e.outcome == "notrecoverable":
            lock.play(e, game)
        else:
            lock.take(e, game)


class Barrier:
    def __init__(self, o):
        self.o, self.arrived, self.round_of, self.departed, self.serial = o, 0, {}, {}, set()

    def play(self, e, game):
        if self.o.count is None:
            raise Wrong(e.line, "no count")
        if e.word == "barrier-arrive":
            if e.outcome == "ok":
                self.round_of[e.thread] = self.arrived // self.o.count
                self.arrived += 1
            return
        r = self.round_of[e.thread]
        if self.arrived < (r + 1) * self.o.count:
            raise Wrong(e.line, "it is not open")
        if e.outcome == "serial" and r in self.serial:
            raise Wrong(e.line, "two serial threads")
        if e.outcome == "serial":
            self.serial.add(r)
        self.departed[r] = self.departed.get(r, 0) + 1
        if self.departed[r] == self.o.count and r not in self.serial:
            raise Wrong(e.line, "no serial thread")


class Semaphore:
    def __init__(self, o):
        self.o, self.value = o, o.count

    def play(self, e, game):
        if e.outcome == "cancelled":
            return
        if self.value is None:
            raise Wrong(e.line, "no count")
        if e.word == "post":
            self.value += e.outcome == "ok"
        elif e.outcome == "ok":
            if not self.value:
                raise Wrong(e.line, "below 0")
            self.value -= 1
        elif e.outcome in ("again", "timedout") and self.value:
            raise Wrong(e.line, "not at 0")


class Once:
    def __init__(self, o):
        self.by, self.done = None, False

    def play(self, e, game):
        if e.word in ("once-end", "once-abort"):
            if self.by != e.thread:
                raise Wrong(e.line, "not the one who runs it")
            self.by, self.done = None, e.word == "once-end"
        elif e.outcome == "ran":
            if self.done or self.by is not None:
                raise Wrong(e.line, "ran or runs already")
            self.by, self.done = (None, True) if e.word == "once" else (e.thread, False)
        elif e.outcome == "ok" and not self.done:
            raise Wrong(e.line, "has not run")


class Thread:
    def __init__(self):
        self.entered = self.gone = self.joined = self.detached = False
        self.arrived, self.arrived_at, self.frames, self.awaits = None, None, [], None


class Game:
    def __init__(self, schedule):
        self.s, self.states, self.now = schedule, {}, 0
        self.threads = [Thread()]
        self.threads[0].entered = True
        self.main_returned = False

    def state(self, o):
        kinds = {"m": Lock, "p": Lock, "r": Rwlock, "c": Cond, "b": Barrier, "s": Semaphore, "o": Once,
                 "a": Cell}
        if o.name not in self.states:
            self.states[o.name] = kinds[o.family](o)
        return self.states[o.name]

    def site(self, e):
        if e.site is None or e.word == "exit":
            return
        _, word, derived, excluded = self.s.file.sites[e.site]
        if excluded:
            raise Wrong(e.line, "an excluded site")
        if e.word in ("call", "ret", "unwind"):
            if not derived:
                raise Wrong(e.line, "no derived site")
        elif word not in ("call", OPERATION[e.word]):
            raise Wrong(e.line, "another operation's site")

    def outcome(self, e):
        if e.word == "unmodelled":
            return
        if e.object is not None and e.object.family not in EVENTS[e.word][1]:
            raise Wrong(e.line, f"no {e.word} on {e.object.name}")
        legal = EVENTS[e.word][2]
        if legal is None:
            legal = LOCK_OUTCOMES[e.word, e.object.family]
        if e.outcome != "ok" and e.outcome not in legal:
            raise Wrong(e.line, f"{e.word} does not end {e.outcome}")

    def may_act(self, e, t):
        if t.gone or (not t.entered and e.word != "enter") or self.main_returned:
            raise Wrong(e.line, f"t{e.thread} cannot act")
        departs = e.word.endswith("-depart")
        if (t.arrived is not None) != departs:
            raise Wrong(e.line, "arrivals and departures do not match")
        if departs:
            a = t.arrived
            if (a.word[:-7], a.site, a.object, a.mutex) != (e.word[:-7], e.site, e.object, e.mutex):
                raise Wrong(e.line, "departs elsewhere")

    def calls(self, e, t):
        ends = e.word in ("ret", "unwind", "callback") or (e.word == "exit" and e.site is None)
        if ends and t.frames and t.frames[-1] == "callback":
            t.frames.pop()
        if e.word == "callback":
            t.frames.append("callback")
        elif e.word == "call":
            t.frames.append(e.site)
        elif e.word in ("ret", "unwind"):
            if not t.frames or t.frames[-1] != e.site:
                raise Wrong(e.line, "not the innermost call")
            t.frames.pop()
        elif e.word == "exit" and e.site is None and t.frames:
            raise Wrong(e.line, "returns inside a call")

    def lives(self, e, t):
        other = self.threads[e.other] if e.other is not None and e.word != "create" else None
        if e.word == "enter":
            if t.entered:
                raise Wrong(e.line, "enters twice")
            t.entered = True
        elif e.word == "exit":
            t.gone = True
            self.main_returned |= e.thread == 0 and e.site is None
        elif e.word == "create":
            if (e.outcome == "ok") != (e.other is not None):
                raise Wrong(e.line, "a failed create makes no thread")
            if e.other is not None:
                self.threads.append(Thread())
        elif e.word == "join" and other and e.outcome in ("ok", "busy", "timedout"):
            if other.joined or other.detached or other.gone != (e.outcome == "ok"):
                raise Wrong(e.line, f"t{e.other} cannot be joined so")
            other.joined = e.outcome == "ok"
        elif e.word == "detach" and other and e.outcome == "ok":
            if other.joined or other.detached:
                raise Wrong(e.line, "cannot be detached")
            other.detached = True

    def awaits(self, e):
        rest = (x for x in self.s.events[self.now + 1:] if x.thread == e.thread)
        following = next(rest, None)
        if following is None and self.s.incomplete:
            return
        if following is None or following.word != "atomic" or following.effect[0] == "w":
            raise Wrong(e.line, "waits for no atomic operation")

    def play(self):
        for self.now, e in enumerate(self.s.events):
            t = self.threads[e.thread]
            self.site(e)
            self.outcome(e)
            self.may_act(e, t)
            self.calls(e, t)
            self.lives(e, t)
            if e.word == "await":
                self.awaits(e)
            if e.object is not None and e.word != "unmodelled" and not e.object.shared:
                self.state(e.object).play(e, self)
            t.awaits = e.line if e.word == "await" else None
            if e.word.endswith("-arrive") and e.outcome == "ok":
                t.arrived, t.arrived_at = e, self.now
            elif e.word.endswith("-depart"):
                t.arrived = None
        self.end()

    def end(self):
        if self.s.incomplete:
            return
        last = self.s.events[-1] if self.s.events else None
        if not last or last.word != "exit":
            raise Wrong(self.s.line, "does not end")
        if last.site is None and last.thread and not all(t.gone for t in self.threads):
            raise Wrong(last.line, "others go on")


def judge(data):
    for s in File(data).schedules:
        Game(s).play()


def verdict(data):
    try:
        judge(data)
    except Unread as e:
        return "unread", e.line, str(e)
    except Wrong as e:
        return "wrong", e.line, str(e)
    return "ok", 0, ""


def stream(data, least):
    """Headers `%%% NAME VERDICT LINE LENGTH`, each with so many bytes behind it. Exit 1 unless all verdicts
    agree, and so many are of things that cannot have happened."""
    at, count, disagree, first = 0, {}, 0, None
    while at < len(data):
        end = data.index(b"\n", at)
        mark, name, theirs, line, length = data[at:end].decode().split()
        text = data[end + 1:end + 1 + int(length)]
        at = end + 1 + int(length)
        mine, where, why = verdict(text)
        count[mine] = count.get(mine, 0) + 1
        if theirs == "unread" and mine != "unread":  # the referee need not see damage in front of the events
            agree = not re.match(rb"t\d", text.split(b"\n")[int(line) - 1])
        else:
            agree = mine == theirs and (mine != "wrong" or where == int(line))
        if not agree:
            disagree += 1
            first = first or (f"{name}: referee {mine} {where} {why}; other {theirs} {line}", text)
    if first:
        print(first[1].decode(errors="replace"), first[0], sep="\n")
    told = ", ".join(f"{n} {v}" for v, n in sorted(count.items()))
    print(f"{told} of {sum(count.values())}; {disagree} disagree")
    return 1 if disagree or not count or count.get("wrong", 0) < least else 0


def main(files):
    if files[:1] == ["--stream"]:
        return stream(sys.stdin.buffer.read(), int(files[1]) if len(files) > 1 else 0)
    bad = 0
    for f in files:
        with open(f, "rb") as handle:
            found, line, why = verdict(handle.read())
        print(f"{f}: ok" if found == "ok" else f"{f}:{line}: {why}")
        bad |= found != "ok"
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
