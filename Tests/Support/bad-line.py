#!/usr/bin/env python3
"""A bad line for UDP: bad-line.py PORT LOSS DELAY SEED.

It prints its own port and passes datagrams on to PORT of this machine and back. LOSS is the share that is lost each way, such as
0.05, and DELAY the milliseconds that each takes each way. The same SEED loses the same datagrams. Standard library only.
"""
import heapq
import random
import select
import socket
import sys
import time

target, loss, delay = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]) / 1000
chance = random.Random(int(sys.argv[4]))
front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
front.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
front.bind(("127.0.0.1", 0))
print(front.getsockname()[1], flush=True)
backs, peers, waiting, count = {}, {}, [], 0

while True:
    now = time.monotonic()
    pause = max(0, waiting[0][0] - now) if waiting else 1
    readable, _, _ = select.select([front] + list(backs.values()), [], [], pause)
    for source in readable:
        data, sender = source.recvfrom(65536)
        if source is front:
            if sender not in backs:
                back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                back.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
                back.connect(("127.0.0.1", target))
                backs[sender], peers[back] = back, sender
            way = (backs[sender], None)
        else:
            way = (front, peers[source])
        if chance.random() >= loss:
            count += 1
            heapq.heappush(waiting, (time.monotonic() + delay, count, way, data))
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, (way, peer), data = heapq.heappop(waiting)
        try:
            way.sendto(data, peer) if peer else way.send(data)
        except OSError:
            pass
