/// Counters since the start of the server, for the metrics page.
package struct SRTServerStatistics: Sendable, Equatable {
    package var acceptedConnectionCount = 0
    package var refusedConnectionCounts: [String: Int] = [:]
    /// Number of connections that currently publish.
    package var publisherCount = 0
    /// Number of connections that currently read.
    package var readerCount = 0
    package var closedConnectionCounts: [SRTCloseReason: Int] = [:]
    package var failedLoginCount = 0
    /// Frames that readers did not receive because they were too slow.
    package var droppedUnitCount = 0

    package init() {}
}
