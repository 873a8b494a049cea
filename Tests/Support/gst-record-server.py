#!/usr/bin/python3
"""Runs GStreamer's RTSP server for publishers (RECORD) and writes the received media into a Matroska file.

    gst-record-server.py FILE [--lower tcp|udp|both] [--auth none|basic|digest] [--no-sound]

Prints its port. The mount is /record; the user is "ana", the password "sesame". Debian's python3-gi works only with
/usr/bin/python3.
"""
import argparse
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

options = argparse.ArgumentParser()
options.add_argument("file")
options.add_argument("--lower", choices=["tcp", "udp", "both"], default="both")
options.add_argument("--auth", choices=["none", "basic", "digest"], default="none")
options.add_argument("--no-sound", action="store_true")
options = options.parse_args()

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")

factory = GstRtspServer.RTSPMediaFactory()
factory.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
picture = "rtph264depay name=depay0 ! h264parse ! queue ! mux. "
sound = "rtpmp4gdepay name=depay1 ! aacparse ! queue ! mux. "
factory.set_launch(
    "( " + picture + ("" if options.no_sound else sound)
    + f"matroskamux name=mux streamable=true ! filesink buffer-mode=2 location={options.file} )")
factory.set_latency(200)
lower = {"tcp": GstRtsp.RTSPLowerTrans.TCP, "udp": GstRtsp.RTSPLowerTrans.UDP}
if options.lower in lower:
    factory.set_protocols(lower[options.lower])

if options.auth != "none":
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "publisher")
    if options.auth == "basic":
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic("ana", "sesame"), token)
    else:
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
        auth.add_digest("ana", "sesame", token)
    server.set_auth(auth)
    permissions = GstRtspServer.RTSPPermissions()
    for permission in ["media.factory.access", "media.factory.construct"]:
        permissions.add_permission_for_role("publisher", permission, True)
    factory.set_permissions(permissions)

server.get_mount_points().add_factory("/record", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
