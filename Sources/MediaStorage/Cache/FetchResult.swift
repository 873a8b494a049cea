import Dispatch
import Synchronization

/// The result of a fetch for which a thread waits.
final class FetchResult: Sendable {
    private let result = Mutex<Result<Void, any Error>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ value: Result<Void, any Error>) {
        result.withLock { $0 = value }
        isSet.signal()
    }

    /// - Returns: `nil` if there is no result within the limit.
    func wait(within limit: Duration) -> Result<Void, any Error>? {
        let nanoseconds =
            Int(clamping: limit.components.seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
            + Int(limit.components.attoseconds / 1_000_000_000)
        guard isSet.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return nil }
        return result.withLock { $0 }
    }
}
