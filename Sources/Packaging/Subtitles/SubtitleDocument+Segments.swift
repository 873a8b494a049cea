package import NIOCore

extension SubtitleDocument {
    /// Of the cues of one segment: who fills a minute with a hundred thousand letters is not read anyway.
    static let maximumSegmentByteCount = 1 << 20

    /// A segment of WebVTT (bis §3.1.4): what is shown between two times. A cue that crosses a border is in the segments
    /// on both sides, with the same times in both.
    ///
    /// - Parameters:
    ///   - start: milliseconds on the title's timeline.
    ///   - end: likewise; behind the segment.
    package func segment(from start: Int64, to end: Int64) -> ByteBuffer {
        // Media times start at zero, in fragments' clocks as in MPEG-TS's.
        var text = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n"
        for definition in definitions { text += "\n\(definition)\n" }
        for cue in cues where cue.end > start {
            guard cue.start < end, text.utf8.count < Self.maximumSegmentByteCount else { break }
            text += Self.block(of: cue)
        }
        // libavformat reads segments as one text: without an empty line the next one's header is a part of the last cue.
        return ByteBuffer(string: text + "\n")
    }

    /// All of it as a file.
    package func webVTT() -> String {
        var text = "WEBVTT\n"
        for definition in definitions { text += "\n\(definition)\n" }
        for cue in cues {
            let block = Self.block(of: cue)
            // Larger files are not read again.
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

    static func timestamp(_ milliseconds: Int64) -> String {
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1_000
        return "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + ".\(digits(milliseconds % 1_000, 3))"
    }
}
