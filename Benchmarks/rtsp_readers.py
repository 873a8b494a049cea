"""Many readers of one channel in one thread, which see to it that none of them has lost anything."""
import os
import select
import struct
import time

from rtsp_client import Connection, controls, tell

REPORT_INTERVAL = 10  # s; a reader that says nothing for 60 s is taken for dead
EMPTY_RECEIVER_REPORT = b"$\x01\x00\x08\x80\xc9\x00\x01\x00\x00\x00\x01"


class Reader:
    """Plays over its connection and counts what comes."""

    def __init__(self, port, path):
        self.connection = Connection(port, path)
        _, sdp = self.connection.ask("DESCRIBE", fields=["Accept: application/sdp"])
        for index, control in enumerate(controls(sdp.partition("m=")[2])):
            url = control if control.startswith("rtsp:") else f"{self.connection.url}/{control}"
            self.connection.set_up(url, f"RTP/AVP/TCP;unicast;interleaved={2 * index}-{2 * index + 1}")
        self.connection.ask("PLAY", fields=["Range: npt=now-"])
        self.socket = self.connection.socket
        self.socket.setblocking(False)
        self.byte_count = 0
        # Of the first track's packets; the server has one for each of its threads.
        self.source, self.beginning = None, b""
        # Number of a packet, and the bytes in front of it.
        self.mark, self.is_lost = None, False
        self.take(memoryview(self.connection.received))

    def take(self, data):
        self.byte_count += len(data)
        if self.source is None:
            self.beginning += data
            first = next((place for channel, place, _ in frames(self.beginning) if channel == 0), None)
            if first is not None:
                self.source, self.beginning = self.beginning[first + 12:first + 16], b""

    def receive(self, buffer):
        """How many bytes; 0 where the connection is closed."""
        try:
            return self.socket.recv_into(buffer)
        except ConnectionResetError:
            return 0

    def report(self):
        try:
            self.socket.send(EMPTY_RECEIVER_REPORT)
        except OSError:
            # Full, or closed, which reading tells.
            pass

    def note_mark(self, data):
        """Finds the first packet of the first track in what was taken last. Whether there is one."""
        if self.source is None:
            return False
        place = data.find(self.source)
        while place >= 0:
            start = place - 12
            if start >= 0 and data[start] == 0x24 and data[start + 1] == 0 and data[start + 4] == 0x80:
                number = struct.unpack_from(">H", data, start + 6)[0]
                self.mark = number, self.byte_count - len(data) + start
                return True
            place = data.find(self.source, place + 1)
        return False


def frames(data):
    """Channel, place and end of each whole frame (RFC 2326 §10.12)."""
    place = 0
    while len(data) >= place + 4:
        marker, channel, length = struct.unpack_from(">BBH", data, place)
        if marker != 0x24:
            raise SystemExit("a reader got something that is no packet")
        if len(data) < place + 4 + length:
            return
        yield channel, place, place + 4 + length
        place += 4 + length


class CheckedReader(Reader):
    """Takes every packet apart: none may be missing."""

    def __init__(self, port, path):
        self.rest, self.expected, self.missing, self.packet_count = b"", {}, 0, 0
        # Where in what was received each packet of the first track begins, by its number.
        self.offsets = {}
        super().__init__(port, path)

    def take(self, data):
        offset = self.byte_count - len(self.rest)
        super().take(data)
        data = self.rest + bytes(data)
        end = 0
        for channel, place, end in frames(data):
            if channel % 2 == 0:
                self.check(channel, data, place, offset)
        self.rest = data[end:]

    def check(self, channel, data, place, offset):
        number = struct.unpack_from(">H", data, place + 6)[0]
        self.missing += (number - self.expected.get(channel, number)) & 0xFFFF
        self.expected[channel] = (number + 1) & 0xFFFF
        self.packet_count += 1
        if channel == 0:
            self.offsets[number] = offset + place


class Readers:
    """That many of one channel; some look at each packet's number. All on a thread of the server get the same packets
    over the same channel numbers, so between the same two packets each must get as many bytes as a checked one."""

    def __init__(self, port, path, count, checked):
        self.poll, self.buffer = select.epoll(), bytearray(1 << 18)
        self.by_descriptor, self.everyone, self.lost_count = {}, [], 0
        self.next_report = time.monotonic() + REPORT_INTERVAL
        for index in range(count):
            reader = (CheckedReader if index < checked else Reader)(port, path)
            self.everyone.append(reader)
            self.by_descriptor[reader.socket.fileno()] = reader
            self.poll.register(reader.socket, select.EPOLLIN)
            self.take(0)
            # On a busy machine so many take a while to begin.
            self.report()
        self.checked = self.everyone[:checked]
        self.references = {}
        self.poll.register(0, select.EPOLLIN)

    def take(self, timeout, unmarked=None):
        """Reads what has come. Whether there is a command, too."""
        has_command = False
        for descriptor, _ in self.poll.poll(timeout):
            if descriptor == 0:
                has_command = True
                continue
            reader = self.by_descriptor[descriptor]
            length = reader.receive(self.buffer)
            if not length:
                self.lose(reader)
                continue
            reader.take(memoryview(self.buffer)[:length])
            if unmarked and reader in unmarked and reader.note_mark(bytes(self.buffer[:length])):
                unmarked.remove(reader)
        return has_command

    def report(self):
        """When it is time."""
        if time.monotonic() >= self.next_report:
            for reader in self.everyone:
                reader.report()
            self.next_report += REPORT_INTERVAL

    def lose(self, reader):
        """The server has closed its connection."""
        self.lost_count += 1
        self.poll.unregister(reader.socket)
        reader.socket.close()
        reader.is_lost = True

    def marks(self):
        """Where each reader is: its bytes, and the reference's, in front of the same packet; `None` if unknown."""
        self.poll.unregister(0)
        self.references = {reader.source: reader for reader in self.checked}
        unmarked, limit = {reader for reader in self.everyone if not reader.is_lost}, time.monotonic() + 5
        while time.monotonic() < limit and (unmarked or None in (self.mark(reader) for reader in self.everyone)):
            self.take(0.1, unmarked)
        self.poll.register(0, select.EPOLLIN)
        return [None if reader in unmarked else self.mark(reader) for reader in self.everyone]

    def mark(self, reader):
        number, byte_count = reader.mark or (None, 0)
        offset = self.references[reader.source].offsets.get(number) if reader.source in self.references else None
        # The reference may be a packet behind.
        return None if offset is None else (byte_count, offset)

    def counts(self):
        return {"bytes": sum(reader.byte_count for reader in self.everyone),
                "missing": sum(reader.missing for reader in self.checked),
                "checkedPackets": sum(reader.packet_count for reader in self.checked), "lost": self.lost_count}


def read(port, path, count, checked):
    readers = Readers(port, path, count, checked)
    tell({"started": count})
    earlier, counted = None, {**readers.counts(), "lost": 0}
    while True:
        if readers.take(1):
            if not os.read(0, 4096):
                return
            cpu, marks, counts = time.process_time(), readers.marks(), readers.counts()
            tell({"cpu": cpu, "differing": differing(earlier, marks) if earlier else 0,
                  **{name: counts[name] - counted[name] for name in counts}})
            earlier, counted = marks, counts
        readers.report()


def differing(earlier, later):
    """How many readers did not get as many bytes as the reference between the same two packets."""
    return sum(not first or not last or last[0] - first[0] != last[1] - first[1]
               for first, last in zip(earlier, later))
