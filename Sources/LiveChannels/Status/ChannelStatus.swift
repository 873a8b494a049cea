package import Foundation

/// A channel as operators see it; the API's JSON is this, encoded.
package struct ChannelStatus: Sendable, Codable, Hashable {
    package enum State: String, Sendable, Codable {
        /// Nobody pushes.
        case idle
        case live
        /// The publisher went away without saying so; viewers wait for it.
        case interrupted
    }

    package struct PublisherStatus: Sendable, Codable, Hashable {
        /// Absent in what everyone may see, as is the agent.
        package var address: String?
        package var userAgent: String?
        package var transport: String
        package var preset: String
        /// Of the push; of its turn, where it had to wait for it.
        package var since: Date
        /// Seconds that its clock is ahead of ours, by its newest sender report.
        package var clockOffset: Double?
    }

    package struct TrackStatus: Sendable, Codable, Hashable {
        package var id: UInt32
        /// `video` or `audio`
        package var type: String
        /// For people: `H.264`. Absent while the parameter sets have not come yet.
        package var codec: String?
        package var rfc6381: String?
        /// What the publisher sends, where viewers get something else: `G.711 µ-law`.
        package var transcodedFrom: String?
        package var width: Int?
        package var height: Int?
        /// Measured, pictures or audio frames a second, as the publisher sends them.
        package var frameRate: Double?
        /// Measured, bits a second, as the publisher sends them.
        package var bitRate: Int?
        package var sampleRate: Int?
        package var channels: Int?
    }

    /// Viewers by what they have chosen; see ``ViewedVariant``.
    package struct VariantViewers: Sendable, Codable, Hashable {
        package var video = 0
        package var audio = 0
        package var ts = 0
    }

    package struct ReportedError: Sendable, Codable, Hashable {
        package var at: Date
        package var message: String
    }

    package var name: String
    package var title: String
    package var state: State
    /// Of the state; absent where the channel has been idle since the server started.
    package var since: Date?
    /// The publisher's preset; without one, the channel's default.
    package var preset: String
    /// Those that a publisher may name.
    package var presets: [String]
    /// Absent while nobody pushes.
    package var presetComparison: PresetComparison?
    /// Absent where segments close at key frames.
    package var gopTooLong: GOPTooLong?
    /// True while the slate is shown; absent otherwise.
    package var slate: Bool?
    package var publisher: PublisherStatus?
    /// Accepted, and shown one after the other when those before them have ended.
    package var waitingPublishers: [PublisherStatus]
    package var tracks: [TrackStatus]
    /// All, also those who have not chosen yet.
    package var viewers: Int
    package var viewersByVariant: VariantViewers
    package var bytesIn: Int
    /// Sent by publishers while they waited.
    package var bytesDiscarded: Int
    package var bytesOut: Int
    package var packetsLost: Int
    /// The newest last; see ``ErrorLog/maximumCount``.
    package var errors: [ReportedError]
    package var playlist: String
    /// Absent where the server keeps nothing on disk.
    package var recording: RecordingStatus?

    /// The same without who pushes from where, for everyone.
    package var withoutPeers: ChannelStatus {
        var status = self
        status.publisher = publisher?.withoutPeer
        status.waitingPublishers = waitingPublishers.map(\.withoutPeer)
        return status
    }
}

extension ChannelStatus.PublisherStatus {
    fileprivate var withoutPeer: Self {
        var status = self
        status.address = nil
        status.userAgent = nil
        return status
    }
}

/// A channel's last errors.
struct ErrorLog: Sendable {
    private(set) var entries: [ChannelStatus.ReportedError] = []

    static let maximumCount = 20
    static let maximumMessageByteCount = 500

    mutating func add(_ message: String, at now: Int64) {
        if entries.count == Self.maximumCount { entries.removeFirst() }
        let message = message.utf8.count <= Self.maximumMessageByteCount ? message : String(message.prefix(400)) + "…"
        entries.append(ChannelStatus.ReportedError(at: Date(millisecondsSince1970: now), message: message))
    }
}

extension Date {
    init(millisecondsSince1970 milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
