/// Event for the pipelines of all connections when the server stops.
struct ServerShutdownEvent: Sendable {}
