"""What ffmpeg sends when it publishes by RTSP, recorded once: any number of publishers can send it, for any time."""
import os
import pickle
import re
import socket
import struct
import threading

from harness import ffmpeg, say

SECONDS = 32  # 960 pictures of 1/30 s and 1,500 AAC frames of 1,024 samples at 48 kHz: both end there
SECONDS_BETWEEN_KEY_FRAMES = 2
WRAP = 1 << 32


class Recording:
    """A loop of RTP packets. Their numbers and timestamps go on from one round to the next."""

    def __init__(self, sdp, tracks):
        """`tracks`: packets in the order they came, and the clock rate of each."""
        self.sdp, self.clock_rates = sdp, [rate for _, rate in tracks]
        self.packet_counts = [len(packets) for packets, _ in tracks]
        units = []
        for index, (packets, rate) in enumerate(tracks):
            units += self.units(index, packets, rate, waits=index != self.video)
        # (seconds from the start of a round, track, packets): what a publisher sends at a time.
        self.loop = sorted(units, key=lambda unit: unit[0])

    @property
    def video(self):
        return self.clock_rates.index(90_000)

    @staticmethod
    def units(index, packets, rate, waits):
        """Packets of one timestamp. Sound waits until the last sample of its packet has been heard: until the next."""
        units, first = [], timestamp(packets[0])
        for packet in packets:
            seconds = (timestamp(packet) - first) % WRAP / rate
            if not units or units[-1][0] != seconds:
                units.append((seconds, index, []))
            units[-1][2].append(packet)
        times = [unit[0] for unit in units[1:]] + [float(SECONDS)] if waits else [unit[0] for unit in units]
        return [(time, index, unit[2]) for time, unit in zip(times, units)]

    def due(self, number):
        """Seconds after the first unit."""
        rounds, position = divmod(number, len(self.loop))
        return rounds * SECONDS + self.loop[position][0]

    def packets(self, number):
        """Track and packets of the unit of that number, counted through all rounds."""
        rounds, position = divmod(number, len(self.loop))
        _, track, packets = self.loop[position]
        if not rounds:
            return track, packets
        renumbered = []
        for packet in packets:
            sequence_number, time = struct.unpack_from(">HI", packet, 2)
            sequence_number += rounds * self.packet_counts[track]
            time += rounds * SECONDS * self.clock_rates[track]
            renumbered.append(packet[:2] + struct.pack(">HI", sequence_number & 0xFFFF, time % WRAP) + packet[8:])
        return track, renumbered

    @property
    def bits_a_second(self):
        return 8 * sum(len(packet) for unit in self.loop for packet in unit[2]) / SECONDS

    def save(self, path):
        with open(path, "wb") as file:
            pickle.dump(self, file)

    @staticmethod
    def load(path):
        with open(path, "rb") as file:
            return pickle.load(file)


def timestamp(packet):
    return struct.unpack_from(">I", packet, 4)[0]


def record(folder):
    """720p30 H.264 of 2.5 Mbit/s with a key frame every 2 s, and AAC of 128 kbit/s. Returns the file's path."""
    say(f"recording what ffmpeg publishes: {SECONDS} s of 720p30 at 2.5 Mbit/s")
    clip, path = os.path.join(folder, "clip.mp4"), os.path.join(folder, "recording.pickle")
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=1280x720:rate=30:duration={SECONDS + 1},noise=alls=12:allf=t", "-f",
           "lavfi", "-i", f"sine=frequency=440:sample_rate=48000:duration={SECONDS + 1}", "-c:v", "libx264", "-preset",
           "ultrafast", "-g", str(30 * SECONDS_BETWEEN_KEY_FRAMES), "-b:v", "2500k", "-maxrate", "2500k", "-bufsize",
           "2500k", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "2", "-b:a", "128k", "-frames:v", str(30 * SECONDS),
           "-frames:a", str(48_000 * SECONDS // 1_024), clip)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"rtsp://127.0.0.1:{listener.getsockname()[1]}/recording"
        sender = threading.Thread(target=ffmpeg, daemon=True, args=(
            "-i", clip, "-c", "copy", "-f", "rtsp", "-rtsp_transport", "tcp", url))
        sender.start()
        listener.settimeout(60)
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as stream:
            recording = Recording(*receive(connection, stream))
        sender.join()
    os.remove(clip)
    pictures = sum(1 for unit in recording.loop if unit[1] == recording.video)
    if pictures != 30 * SECONDS:
        raise SystemExit(f"ffmpeg sent {pictures} pictures, not {30 * SECONDS}")
    recording.save(path)
    return path


def receive(connection, stream):
    """As little of a recording server as ffmpeg needs. Returns the SDP and each track's packets with its clock rate."""
    sdp, packets = "", {}
    while start := stream.read(1):
        if start == b"$":
            channel, length = struct.unpack(">BH", stream.read(3))
            packet = stream.read(length)
            # Sender reports are not recorded: they tell a time that is over.
            if channel % 2 == 0:
                packets.setdefault(channel // 2, []).append(packet)
            continue
        head = (start + stream.readline()).decode()
        method = head.split()[0]
        fields = {}
        while line := stream.readline().decode().strip():
            name, value = line.split(":", 1)
            fields[name.lower()] = value.strip()
        body = stream.read(int(fields.get("content-length", 0))).decode()
        answer = f"RTSP/1.0 200 OK\r\nCSeq: {fields['cseq']}\r\nSession: 1\r\n"
        if method == "ANNOUNCE":
            sdp = body
        if method == "SETUP":
            answer += f"Transport: {fields['transport']}\r\n"
        connection.sendall(f"{answer}\r\n".encode())
        if method == "TEARDOWN":
            break
    rates = [int(rate) for rate in re.findall(r"a=rtpmap:\d+ [^/]+/(\d+)", sdp)]
    return sdp, [(packets[index], rate) for index, rate in enumerate(rates)]
