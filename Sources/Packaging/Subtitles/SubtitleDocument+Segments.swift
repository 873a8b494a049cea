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
            text += "\n"
            if let identifier = cue.identifier { text += "\(identifier)\n" }
            text += "\(Self.timestamp(cue.start)) --> \(Self.timestamp(cue.end))"
            if !cue.settings.isEmpty { text += " \(cue.settings)" }
            text += "\n\(cue.text)\n"
        }
        return ByteBuffer(string: text)
    }

    private static func timestamp(_ milliseconds: Int64) -> String {
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1_000
        return "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + ".\(digits(milliseconds % 1_000, 3))"
    }
}
