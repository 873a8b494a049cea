import Codecs
import Foundation
import MediaCore
import RTPTransport
import SessionDescription

/// What DESCRIBE answers with.
struct ReadingDescription {
    struct DescribedTrack {
        var trackIndex: Int
        var format: RTPPayloadFormat
        var payloadType: UInt8
        /// Of its timestamps.
        var clock: Timescale
        /// RFC 5646.
        var language: String?
    }

    /// Of the session, for people; made fit for a line.
    var name: String
    /// A number that another content has not.
    var identifier: UInt64
    /// RFC 2326 §C.1.5: `npt=now-` for what is live.
    var range: String
    var isIPv6: Bool
    var tracks: [DescribedTrack]

    /// More would be no title; titles come from files of strangers.
    static let maximumNameByteCount = 200

    /// RFC 2326 §C.1.1, relative to the session's URL. The spelling that players have seen most.
    static func control(ofTrack index: Int) -> String { "trackID=\(index)" }

    /// §C.1.7: no address, for SETUP negotiates it.
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
