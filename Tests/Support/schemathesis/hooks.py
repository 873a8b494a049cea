"""Serializers for request bodies that schemathesis does not support itself."""

import schemathesis


@schemathesis.serializer(
    "application/offset+octet-stream", "application/octet-stream", "application/gpx+xml", "image/jpeg", "image/png"
)
def octets(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
