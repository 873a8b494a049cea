import MediaCore
import RTPTransport
import SessionDescription

/// The mapping of a media description to a format that the server can receive.
enum PublishedTrackFormat: Equatable {
    case usable(RTPTrackFormat, MediaType)
    /// Neither audio nor video: the track is set up if requested, and its packets are ignored. ONVIF cameras announce
    /// metadata as such tracks.
    case ignored

    /// `nil` for an ignored track.
    var mediaType: MediaType? { if case .usable(_, let mediaType) = self { mediaType } else { nil } }

    struct Unsupported: Error, CustomStringConvertible {
        var description: String
    }

    /// - Throws: ``Unsupported`` with a reason for the publisher.
    init(_ media: SDPMediaDescription) throws {
        guard let mediaType = MediaType(rawValue: media.mediaType) else {
            self = .ignored
            return
        }
        guard let map = media.rtpMap else {
            throw Unsupported(description: "the \(media.mediaType) track has no usable rtpmap")
        }
        let parameters = media.formatParameters
        // Encoding names are not case-sensitive (RFC 8866 §6.6).
        let name = map.encodingName.lowercased()
        let payload =
            switch mediaType {
            case .video: try Self.videoPayload(name, parameters)
            case .audio: try Self.audioPayload(name, map, parameters)
            }
        guard let payload else {
            let supported = mediaType == .video ? Self.supportedVideo : Self.supportedAudio
            throw Unsupported(
                description: "\(media.mediaType) codec \(map.encodingName) is not supported; send \(supported)")
        }
        self = .usable(
            RTPTrackFormat(payloadType: map.payloadType, clockRate: map.clockRate, payload: payload), mediaType)
    }
}
