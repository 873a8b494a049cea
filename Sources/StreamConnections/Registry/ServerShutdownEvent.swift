/// Event for the pipelines of all connections when the server stops.
package struct ServerShutdownEvent: Sendable {}
