import Foundation
import MediaCore

/// The newest errors of a channel.
struct ErrorLog: Sendable {
    private(set) var entries: [ChannelStatus.ReportedError] = []

    static let maximumCount = 20
    static let maximumMessageByteCount = 500

    mutating func add(_ message: String, at now: WallClockTime) {
        if entries.count == Self.maximumCount { entries.removeFirst() }
        let message = message.utf8.count <= Self.maximumMessageByteCount ? message : String(message.prefix(400)) + "…"
        entries.append(ChannelStatus.ReportedError(at: Date(now), message: message))
    }
}
