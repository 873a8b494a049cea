import MediaCore
import Synchronization

/// The text of the `Date` field (RFC 9110 §6.6.1), which is made once for all responses of a second.
final class DateField: Sendable {
    private struct Made {
        var second: Int64
        var text: String
    }

    private let wallClock: WallClock
    private let last = Mutex(Made?.none)

    init(wallClock: WallClock = .system) { self.wallClock = wallClock }

    var text: String {
        let now = wallClock.now()
        let second = now.millisecondsSince1970.dividingFloor(by: 1_000)
        return last.withLock { last in
            if let last, last.second == second { return last.text }
            let text = HTTPDate.header(now)
            last = Made(second: second, text: text)
            return text
        }
    }
}
