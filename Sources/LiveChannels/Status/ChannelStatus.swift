package import Foundation

/// A channel's status for operators.
package struct ChannelStatus: Sendable, Codable, Hashable {
    /// The state of a channel.
    package enum State: String, Sendable, Codable {
        /// No publisher is connected.
        case idle
        case live
        /// The publisher went away without ending the push; viewers wait for it.
        case interrupted
    }

    /// A publisher, shown or waiting.
    package struct PublisherStatus: Sendable, Codable, Hashable {
        /// Absent in the public status, as is ``userAgent``.
        package var address: String?
        /// The encoder's own name; absent if it sends none, and in the public status.
        package var userAgent: String?
        package var transport: String
        package var preset: String
        /// The time at which the push began to be shown.
        package var since: Date
        /// Seconds by which the publisher's clock is ahead of ours, from its newest sender report.
        package var clockOffset: Double?
        /// Seconds from the capture to the arrival of a frame by which frames are dated of which the publisher says
        /// nothing; absent if there are none.
        package var captureDelay: Double?
        /// The quality of the line; absent for protocols that do not measure it.
        package var link: LinkQuality?
    }

    /// A track of the push that is shown.
    package struct TrackStatus: Sendable, Codable, Hashable {
        /// The announced track ID.
        package var id: UInt32
        /// `video` or `audio`
        package var type: String
        /// Human-readable name, for example `H.264`. Absent while the parameter sets have not arrived.
        package var codec: String?
        /// The codec as playlists name it (RFC 6381). Absent while the parameter sets have not arrived.
        package var rfc6381: String?
        /// The publisher's codec if viewers get the track transcoded, for example `G.711 µ-law`.
        package var transcodedFrom: String?
        package var width: Int?
        package var height: Int?
        /// Measured video or audio frames per second, as the publisher sends them.
        package var frameRate: Double?
        /// Measured bits per second, as the publisher sends them.
        package var bitRate: Int?
        package var sampleRate: Int?
        package var channels: Int?
    }

    /// A quality that the server makes of the push.
    package struct RungStatus: Sendable, Codable, Hashable {
        /// The name of its preset.
        package var name: String
        /// The name of its playlist, without the extension.
        package var rendition: String
        package var state: LiveRungState
        /// The size of its pictures; absent before the first one.
        package var width: Int?
        package var height: Int?
        /// The bit rate of its preset, in bits per second.
        package var bitRate: Int
    }

    /// Numbers of viewers by what they watch; see ``ViewedVariant``.
    package struct VariantViewers: Sendable, Codable, Hashable {
        package var video = 0
        package var audio = 0
        package var ts = 0
    }

    /// An error with its time.
    package struct ReportedError: Sendable, Codable, Hashable {
        package var at: Date
        package var message: String
    }

    package var name: String
    package var title: String
    /// A description of the channel; absent if there is none.
    package var description: String?
    /// The address of its image: a path on this server, or an `https` address; absent if there is none.
    package var cover: String?
    /// The address of a page about it; absent if there is none.
    package var website: String?
    /// The artist, and the programme or collection; absent if there is none.
    package var artist: String?
    package var album: String?
    package var state: State
    /// The time at which the channel entered its state; absent if it has been idle since the server started.
    package var since: Date?
    /// The publisher's preset, or the channel's default if there is no publisher.
    package var preset: String
    /// The presets that a publisher may name.
    package var presets: [String]
    /// Absent while no push is shown.
    package var presetComparison: PresetComparison?
    /// Absent if segments close at key frames.
    package var gopTooLong: GOPTooLong?
    /// Seconds between the newest two key frames, for the operator's dashboard; absent before the second one.
    package var keyFrameDistance: Double?
    /// True while the slate is shown; absent otherwise.
    package var slate: Bool?
    package var publisher: PublisherStatus?
    /// Accepted publishers that wait; each is shown when those before it have ended.
    package var waitingPublishers: [PublisherStatus]
    package var tracks: [TrackStatus]
    /// The lower qualities that the server makes of the push; absent without any.
    package var ladder: [RungStatus]?
    /// All viewers, including those that have not chosen a variant yet.
    package var viewers: Int
    package var viewersByVariant: VariantViewers
    /// Bytes received from publishers since the server's start.
    package var bytesIn: Int
    /// Bytes that publishers sent while they waited.
    package var bytesDiscarded: Int
    /// Bytes sent to viewers since the server's start.
    package var bytesOut: Int
    /// RTP packets lost on the way from publishers since the server's start.
    package var packetsLost: Int
    /// The newest errors, the latest last; see `ErrorLog.maximumCount`.
    package var errors: [ReportedError]
    package var playlist: String
    package var manifest: String
    /// Absent if the server has no archive.
    package var recording: RecordingStatus?

    /// The public status: the same without the addresses and agents of publishers.
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
