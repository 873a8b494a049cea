import NIOCore

/// A text of a file that is no movie of ours, as it stands there.
package struct EmbeddedText: Sendable, Hashable {
    package enum Format: Sendable, Hashable {
        case subRip
        /// An event as Matroska has it.
        case subStation
        case webVTT
        /// TS 26.245 §5.17.
        case timedText
        case plain
    }

    /// Milliseconds on the title's timeline.
    package var start: Int64
    /// Likewise; `nil` where nobody knows.
    package var end: Int64?
    package var settings: String
    package var bytes: [UInt8]

    package init(start: Int64, end: Int64?, settings: String = "", bytes: [UInt8]) {
        self.start = start
        self.end = end
        self.settings = settings
        self.bytes = bytes
    }

    fileprivate func cueText(_ format: Format) -> String {
        let text = SubtitleText.decode(ByteBuffer(bytes: textBytes(format)).readableBytesView)
        // Some writers count C's final zero.
        let clean = String(text.unicodeScalars.filter { $0 != "\0" }.map(Character.init))
        let lines = clean.split { $0.isNewline }
        switch format {
        case .subStation: return SubStationText.cueText(ofEvent: clean)
        case .subRip: return lines.map(SubRipMarkup.converted).filter { !$0.isEmpty }.joined(separator: "\n")
        case .webVTT: return lines.joined(separator: "\n")
        case .timedText, .plain: return lines.map(SubRipMarkup.escaped).joined(separator: "\n")
        }
    }

    private func textBytes(_ format: Format) -> ArraySlice<UInt8> {
        guard format == .timedText else { return bytes[...] }
        guard bytes.count >= 2 else { return [] }
        // What is behind the text says how it looks.
        return bytes[2...].prefix(Int(bytes[0]) << 8 | Int(bytes[1]))
    }
}

extension SubtitleDocument {
    /// For a text without an end: as long as two lines take to be read, or until the next one.
    static let untimedMilliseconds: Int64 = 5_000

    /// What does not make sense is left out, text by text.
    package init(_ texts: [EmbeddedText], format: EmbeddedText.Format) {
        var cues: [SubtitleCue] = []
        for (index, embedded) in texts.prefix(Self.maximumCueCount).enumerated() {
            let next = index + 1 < texts.count ? texts[index + 1].start : Int64.max
            let start = max(0, embedded.start)
            let (untimed, overflow) = start.addingReportingOverflow(Self.untimedMilliseconds)
            let end = min(
                embedded.end ?? min(overflow ? .max : untimed, next > start ? next : .max), Self.maximumTime)
            let text = embedded.cueText(format)
            let settings = embedded.settings.filter { !$0.isNewline }
            guard end > start, !text.isEmpty, text.utf8.count <= Self.maximumCueByteCount, !text.contains("-->"),
                !settings.contains("-->")
            else { continue }
            cues.append(SubtitleCue(start: start, end: end, identifier: nil, settings: settings, text: text))
        }
        self.init(cues)
    }
}
