import MediaCore
import Synchronization

/// The log-ins on this server since its start.
package final class LogInStatistics: Sendable {
    private struct Kind: Hashable {
        var way: LogInWay
        var result: LogInResult
    }

    private let counts = Mutex([Kind: Int]())

    package init() {}

    /// The number of log-ins.
    package func count(_ way: LogInWay, _ result: LogInResult) -> Int {
        counts.withLock { $0[Kind(way: way, result: result)] ?? 0 }
    }

    /// Counts a log-in.
    func add(_ way: LogInWay, _ result: LogInResult) {
        counts.withLock { $0[Kind(way: way, result: result), default: 0] += 1 }
    }

    /// Counts a log-in by how it ends. One that ends because of the database is not counted.
    ///
    /// - Parameters:
    ///   - way: how somebody logs in.
    ///   - result: what a value means; `nil` for nothing that counts.
    ///   - attempt: the log-in.
    func counting<Value>(
        _ way: LogInWay, _ result: (Value) -> LogInResult?, _ attempt: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await attempt()
            if let result = result(value) { add(way, result) }
            return value
        } catch let error as Refusal {
            add(way, error.code == .tooManyAttempts || error.code == .busy ? .refused : .failure)
            throw error
        }
    }
}
