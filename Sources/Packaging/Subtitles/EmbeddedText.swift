import MediaCore
import NIOCore

/// A subtitle of a source file, in the encoding of that file.
package struct EmbeddedText: Sendable, Hashable {
    /// The encodings of the text.
    package enum Format: Sendable, Hashable {
        /// SubRip text with HTML-like tags.
        case subRip
        /// An event of Sub Station Alpha, as stored in Matroska.
        case subStation
        /// WebVTT cue text.
        case webVTT
        /// 3GPP timed text (3GPP TS 26.245 §5.17).
        case timedText
        /// Plain text.
        case plain
    }

    /// The start in milliseconds on the title's timeline.
    package var start: Int64
    /// The end in milliseconds on the title's timeline; `nil` if unknown.
    package var end: Int64?
    /// The WebVTT cue settings; empty if there are none.
    package var settings: String
    /// The encoded text.
    package var bytes: [UInt8]

    /// Creates a subtitle; the parameters are the properties of the same names.
    package init(start: Int64, end: Int64?, settings: String = "", bytes: [UInt8]) {
        self.start = start
        self.end = end
        self.settings = settings
        self.bytes = bytes
    }

    func cueText(_ format: Format, language: LanguageTag?) -> String {
        let text = SubtitleText.decode(ByteBuffer(bytes: textBytes(format)).readableBytesView, language: language)
        // Some writers include C's terminating zero.
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
        // The text is followed by its style.
        return bytes[2...].prefix(Int(bytes[0]) << 8 | Int(bytes[1]))
    }
}
