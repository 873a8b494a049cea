import Synchronization

/// Counts a channel's viewers without cookies: whoever fetched a playlist within the last window, told apart by
/// address and agent.
package final class ViewerCounter: Sendable {
    private let state = Mutex([UInt64: Int64]())

    /// A viewer that has not asked for this long is gone: two of the longest usual target durations, and some.
    package static let windowMilliseconds: Int64 = 20_000
    /// More are not told apart; the count stops there until old ones have gone.
    package static let maximumViewerCount = 50_000

    package init() {}

    /// - Parameters:
    ///   - key: a hash of address and agent.
    ///   - now: milliseconds.
    package func saw(_ key: UInt64, now: Int64) {
        state.withLock { viewers in
            if viewers.count >= Self.maximumViewerCount, viewers[key] == nil {
                Self.dropOld(&viewers, now: now)
                guard viewers.count < Self.maximumViewerCount else { return }
            }
            viewers[key] = now
        }
    }

    package func count(now: Int64) -> Int {
        state.withLock { viewers in
            Self.dropOld(&viewers, now: now)
            return viewers.count
        }
    }

    private static func dropOld(_ viewers: inout [UInt64: Int64], now: Int64) {
        viewers = viewers.filter { now - $0.value < windowMilliseconds }
    }
}
