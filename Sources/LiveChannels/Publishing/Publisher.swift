package import Codecs
package import Foundation
package import MediaCore

/// A client that publishes to a channel.
package struct Publisher: Sendable, Hashable {
    /// `address:port`
    package var remoteAddress: String
    package var userAgent: String?
    /// `RTSP/TCP` or `RTSP/UDP`
    package var transport: String
    /// The preset that the publisher names; `nil` for the channel's default.
    package var presetName: String?

    package init(remoteAddress: String, userAgent: String?, transport: String, presetName: String?) {
        self.remoteAddress = remoteAddress
        self.userAgent = userAgent
        self.transport = transport
        self.presetName = presetName
    }
}

/// A track that a publisher has announced.
package struct PublishedTrack: Sendable {
    /// The track. Its `id` is its position in the announcement.
    package var track: Track
    /// `nil` if the parameter sets come in band, and for foreign codecs.
    package var configuration: CodecConfiguration?
    /// The codec if HLS does not carry it; viewers then get the track transcoded. `nil` otherwise.
    package var foreignCodec: ForeignCodec?

    package init(track: Track, configuration: CodecConfiguration?, foreignCodec: ForeignCodec? = nil) {
        self.track = track
        self.configuration = configuration
        self.foreignCodec = foreignCodec
    }
}

/// The reason why a channel does not accept a publisher.
package enum PublishingError: Error, Hashable, CustomStringConvertible {
    /// Another publisher has the channel, or the queue of waiting publishers is full.
    case channelBusy(since: Date, publisher: String)
    case unknownPreset(String, allowed: [String])
    /// The server is shutting down, or the channel has been removed.
    case closed

    package var description: String {
        switch self {
        case .channelBusy(_, let publisher): "the channel is taken by \(publisher)"
        case .unknownPreset(let name, let allowed):
            "there is no preset \"\(name)\"; available presets: \(allowed.joined(separator: ", "))"
        case .closed: "the channel is closed"
        }
    }
}
