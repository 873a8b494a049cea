import Codecs
import Foundation
import MediaCore
import RTPTransport
import SessionDescription

/// The content of a response to DESCRIBE.
struct PlaybackDescription {
    struct DescribedTrack {
        var trackIndex: Int
        var format: RTPPayloadFormat
        var payloadType: UInt8
        /// Clock of the track's RTP timestamps.
        var clock: Timescale
        /// RFC 5646 language tag; `nil` if it is not known.
        var language: String?
    }

    /// Human-readable name of the session; control characters are removed when it is rendered.
    var name: String
    /// A number that identifies the content.
    var identifier: UInt64
    /// Range attribute (RFC 2326 §C.1.5); `npt=now-` for live channels.
    var range: String
    var isIPv6: Bool
    var tracks: [DescribedTrack]

    /// Length limit in bytes, because titles come from untrusted files.
    static let maximumNameByteCount = 200

    /// Control attribute (RFC 2326 §C.1.1), relative to the session's URL, in the spelling that is most common.
    static func control(ofTrack index: Int) -> String { "trackID=\(index)" }

    /// The session description. It does not state an address, because SETUP negotiates it (RFC 2326 §C.1.7).
    var session: SDPSession {
        let address = isIPv6 ? "IN IP6 ::" : "IN IP4 0.0.0.0"
        return SDPSession(
            origin: "- \(identifier) 1 \(isIPv6 ? "IN IP6 ::1" : "IN IP4 127.0.0.1")", name: Self.line(name),
            connection: address,
            attributes: [
                SDPAttribute("tool", "Antena"), SDPAttribute("control", "*"), SDPAttribute("range", range),
            ],
            media: tracks.map(Self.media))
    }

    private static func line(_ text: String) -> String {
        let printable = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        var line = ""
        for scalar in printable {
            guard line.utf8.count + 4 <= maximumNameByteCount else { break }
            line.unicodeScalars.append(scalar)
        }
        return line
    }

    private static func media(_ track: DescribedTrack) -> SDPMediaDescription {
        let language = track.language.flatMap { $0 == "und" ? nil : line($0) }
        return track.format.mediaDescription(
            payloadType: track.payloadType, clock: track.clock, language: language,
            control: control(ofTrack: track.trackIndex))
    }
}
