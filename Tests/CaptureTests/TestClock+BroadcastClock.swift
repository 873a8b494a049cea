import TestSupport

@testable import Capture

extension TestClock {
    /// The same clock for a capture. It advances while somebody sleeps on it.
    var broadcastClock: BroadcastClock {
        BroadcastClock(
            now: { self.microseconds }, sleep: { self.advance(to: .microseconds($0 - Self.firstMicrosecond)) })
    }

    var microseconds: Int64 { Self.firstMicrosecond + Int64(elapsed / .microseconds(1)) }

    /// A capture's clock does not begin with zero.
    private static let firstMicrosecond: Int64 = 1_000_000
}
