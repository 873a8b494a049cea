import MediaCore
import RTPTransport
import SessionDescription

/// How a media description maps to what can be received here.
enum PublishedTrackFormat: Equatable {
    case usable(RTPTrackFormat, MediaType)
    /// Neither audio nor video: set up as asked, then ignored. ONVIF cameras announce their metadata so.
    case ignored

    struct Unsupported: Error, CustomStringConvertible {
        var description: String
    }

    /// - Throws: ``Unsupported``, in words for the publisher.
    init(_ media: SDPMediaDescription) throws {
        guard let mediaType = MediaType(rawValue: media.mediaType) else {
            self = .ignored
            return
        }
        guard let map = media.rtpMap else {
            throw Unsupported(description: "the \(media.mediaType) track has no usable rtpmap")
        }
        let parameters = media.formatParameters
        // RFC 8866 §6.6: names without regard to case.
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
