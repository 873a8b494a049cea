package import StreamConnections

/// Counters since the start of the server, for the metrics page.
package struct RTMPServerStatistics: Sendable, Equatable {
    package var acceptedConnectionCount = 0
    package var openConnectionCount = 0
    /// Number of connections that currently publish.
    package var publisherCount = 0
    /// Number of connections that currently play.
    package var playerCount = 0
    package var refusedConnectionCounts: [ConnectionRefusal: Int] = [:]
    package var closedConnectionCounts: [RTMPCloseReason: Int] = [:]
    package var failedLoginCount = 0
    /// Frames that players did not receive because they were too slow.
    package var droppedUnitCount = 0

    package init() {}
}
