import NIOCore

/// Limits how much a live worker may send: more messages and bytes than any track needs.
struct LiveWorkerBudget {
    private static let messagesPerSecond = 1_000.0
    private static let messagesAtOnce = 10_000.0
    private static let bytesPerSecond = 4_000_000.0
    private static let bytesAtOnce = 32_000_000.0
    private var messages = Self.messagesAtOnce
    private var bytes = Self.bytesAtOnce
    private var last: NIODeadline

    init(now: NIODeadline) { last = now }

    /// Accounts for a message; returns false if the worker has sent too much.
    mutating func take(byteCount: Int, now: NIODeadline) -> Bool {
        let seconds = Double(max(0, (now - last).nanoseconds)) / 1e9
        last = now
        messages = min(Self.messagesAtOnce, messages + seconds * Self.messagesPerSecond) - 1
        bytes = min(Self.bytesAtOnce, bytes + seconds * Self.bytesPerSecond) - Double(byteCount)
        return messages >= 0 && bytes >= 0
    }
}
