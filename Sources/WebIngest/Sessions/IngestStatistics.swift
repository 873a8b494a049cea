/// Counters of browsers that publish, for the metrics page.
package struct IngestStatistics: Sendable, Equatable {
    package var connectionCount = 0
    package var publisherCount = 0
    package var acceptedConnectionCount = 0
    package var failedLoginCount = 0
    package var refusedCount = 0

    package init() {}
}
