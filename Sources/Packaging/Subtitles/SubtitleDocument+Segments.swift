package import NIOCore

extension SubtitleDocument {
    /// The largest size of one segment's cues; nobody can read more in that time.
    static let maximumSegmentByteCount = 1 << 20

    /// Returns a WebVTT segment (rfc8216bis §3.1.4) with the cues that are shown between two times. A cue that crosses
    /// a boundary is in the segments on both sides, with the same times in both.
    ///
    /// - Parameters:
    ///   - start: The segment's start in milliseconds on the title's timeline.
    ///   - end: The segment's end in milliseconds on the title's timeline.
    package func segment(from start: Int64, to end: Int64) -> ByteBuffer {
        // Media times start at zero, in fragments and in MPEG-TS.
        var text = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n"
        for definition in definitions { text += "\n\(definition)\n" }
        for cue in cues where cue.end > start {
            guard cue.start < end, text.utf8.count < Self.maximumSegmentByteCount else { break }
            text += Self.block(of: cue)
        }
        // libavformat concatenates segments: without an empty line the next one's header becomes part of the last cue.
        return ByteBuffer(string: text + "\n")
    }

    /// Returns the whole document as a WebVTT file.
    package func webVTT() -> String {
        var text = "WEBVTT\n"
        for definition in definitions { text += "\n\(definition)\n" }
        for cue in cues {
            let block = Self.block(of: cue)
            // Larger files would be refused when they are read.
            guard text.utf8.count + block.utf8.count <= Self.maximumFileByteCount else { break }
            text += block
        }
        return text
    }

    private static func block(of cue: SubtitleCue) -> String {
        let identifier = cue.identifier.map { "\($0)\n" } ?? ""
        let settings = cue.settings.isEmpty ? "" : " \(cue.settings)"
        return "\n\(identifier)\(timestamp(cue.start)) --> \(timestamp(cue.end))\(settings)\n\(cue.text)\n"
    }

    /// Formats a time as `hh:mm:ss.ttt`.
    package static func timestamp(_ milliseconds: Int64) -> String {
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1_000
        return "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + ".\(digits(milliseconds % 1_000, 3))"
    }
}
