package import MediaCore
import Synchronization

/// How long calls of a database take, and how many fail.
package final class DatabaseStatistics: Sendable {
    /// Calls that only read, from the call to its result: the wait for a connection counts.
    package let reads = LatencyHistogram()
    /// Calls that change something, from the call until the change has the durability that was asked for.
    package let writes = LatencyHistogram()
    private let failures = Atomic<Int>(0)

    package init() {}

    /// Calls that failed because of the database, such as one that does not answer.
    package var failureCount: Int { failures.load(ordering: .relaxed) }

    func countFailure() { failures.wrappingAdd(1, ordering: .relaxed) }
}
