package import Codecs
package import Foundation
package import MediaCore

/// Who pushes to a channel.
package struct Publisher: Sendable, Hashable {
    /// `address:port`
    package var remoteAddress: String
    package var userAgent: String?
    /// `RTSP/TCP` or `RTSP/UDP`
    package var transport: String
    /// The preset it names; the channel's default holds where it names none.
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
    /// Its `id` is its position in the announcement.
    package var track: Track
    /// `nil` where the parameter sets come in band, and for foreign codecs.
    package var configuration: CodecConfiguration?
    /// Set where HLS does not carry the codec: viewers get the track transcoded.
    package var foreignCodec: ForeignCodec?

    package init(track: Track, configuration: CodecConfiguration?, foreignCodec: ForeignCodec? = nil) {
        self.track = track
        self.configuration = configuration
        self.foreignCodec = foreignCodec
    }
}

/// Why a channel does not take a publisher.
package enum PublishingError: Error, Hashable, CustomStringConvertible {
    /// Where publishers wait for one another, as many as may do so already.
    case channelBusy(since: Date, publisher: String)
    case unknownPreset(String, allowed: [String])
    /// The server is shutting down, or the channel has been removed.
    case closed

    package var description: String {
        switch self {
        case .channelBusy(_, let publisher): "the channel is taken by \(publisher)"
        case .unknownPreset(let name, let allowed):
            "there is no preset \"\(name)\" here; there are: \(allowed.joined(separator: ", "))"
        case .closed: "the channel is closed"
        }
    }
}
