package import ISOBMFF
package import MediaCore
package import NIOCore

/// The cues of a subtitle file: SubRip (`.srt`) or WebVTT (W3C WebVTT §6).
///
/// Invalid blocks are dropped one by one, as players do: subtitle files come from anywhere, and one bad line must not
/// cost the rest.
package struct SubtitleDocument: Sendable, Hashable {
    /// The file formats; the raw value is the file extension.
    package enum Format: String, Sendable, Hashable {
        case subRip = "srt"
        case webVTT = "vtt"
    }

    /// The cues in the order of their starts.
    package private(set) var cues: [SubtitleCue] = []
    /// The STYLE and REGION blocks, which belong in every segment; comments are dropped.
    package private(set) var definitions: [String] = []

    /// The largest file in bytes; a film's is a hundred kilobytes.
    package static let maximumFileByteCount = 8 << 20
    /// The largest number of cues; a film has two thousand.
    package static let maximumCueCount = 50_000
    /// The largest cue in bytes; viewers can read three lines of forty letters.
    static let maximumCueByteCount = 4_096
    /// The largest size of all definitions together.
    static let maximumDefinitionByteCount = 64 << 10
    /// The latest time in milliseconds: a day, up to which the clocks of players and server agree.
    static let maximumTime: Int64 = 24 * 3_600_000

    /// Creates an empty document.
    package init() {}

    /// Creates a document from cues that are within this type's limits.
    init(_ cues: [SubtitleCue]) {
        self.cues = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    /// Parses a file; invalid blocks are dropped.
    ///
    /// - Parameters:
    ///   - bytes: The file, at most ``maximumFileByteCount`` bytes.
    ///   - format: The file's format.
    ///   - language: The language, which tells the encoding of a file that is not in Unicode.
    package init(parsing bytes: ByteBuffer, format: Format, language: LanguageTag? = nil) {
        let text = SubtitleText.decode(bytes.readableBytesView, language: language)
        var definitionByteCount = 0
        for block in Blocks(text) {
            guard let timing = block.firstIndex(where: { $0.contains("-->") }) else {
                guard format == .webVTT, cues.isEmpty, let first = block.first,
                    ["STYLE", "REGION"].contains(where: { first.hasPrefix($0) })
                else { continue }
                let definition = block.joined(separator: "\n")
                definitionByteCount += definition.utf8.count
                if definitionByteCount <= Self.maximumDefinitionByteCount { definitions.append(definition) }
                continue
            }
            guard cues.count < Self.maximumCueCount,
                let cue = Self.cue(block, timing: timing, format: format)
            else { continue }
            cues.append(cue)
        }
        // The sort is stable: of cues that start together the first in the file is the first on the screen.
        cues = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    /// Converts the samples of a movie's text track. A text that spans several samples, as in WebVTT tracks, becomes
    /// one cue.
    package init(_ texts: [MovieTextTrack.Cue], format: MovieTextTrack.Format) {
        for text in texts.prefix(Self.maximumCueCount) {
            let lines = text.text.split(whereSeparator: \.isNewline).map { line in
                format == .webVTT ? String(line) : SubRipMarkup.escaped(line)
            }
            let joined = lines.joined(separator: "\n")
            let start = text.start.converted(to: .milliseconds).value
            let end = min(text.end.converted(to: .milliseconds).value, Self.maximumTime)
            let settings = text.settings.filter { !$0.isNewline }
            guard !joined.isEmpty, joined.utf8.count <= Self.maximumCueByteCount, !joined.contains("-->"),
                !settings.contains("-->"), start >= 0, end > start
            else { continue }
            let recent = cues.suffix(Self.maximumOverlappingCount)
            if let last = recent.lastIndex(where: {
                $0.end == start && $0.text == joined && $0.settings == settings
            }) {
                cues[last].end = end
            } else {
                cues.append(SubtitleCue(start: start, end: end, identifier: nil, settings: settings, text: joined))
            }
        }
        cues.sort { $0.start < $1.start }
    }

    /// The number of a WebVTT track's cues that may overlap.
    private static let maximumOverlappingCount = 16

    private static func cue(_ block: [Substring], timing: Int, format: Format) -> SubtitleCue? {
        // An identifier is one line; SubRip's are plain numbers.
        guard timing <= 1 else { return nil }
        let sides = block[timing].split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let start = time(sides[0].trimmed) else { return nil }
        let rest = sides[1].trimmed
        let endText = rest.prefix { !$0.isWhitespace }
        guard let end = time(endText), end > start, end <= maximumTime else { return nil }
        let lines = block[(timing + 1)...].map { line in
            format == .webVTT ? String(line) : SubRipMarkup.converted(line)
        }.filter { !$0.isEmpty }
        let text = lines.joined(separator: "\n")
        guard !text.isEmpty, text.utf8.count <= maximumCueByteCount, !text.contains("-->") else { return nil }
        let identifier = format == .webVTT && timing == 1 ? String(block[0]) : nil
        let settings = format == .webVTT ? String(rest.dropFirst(endText.count).trimmed) : ""
        return SubtitleCue(start: start, end: end, identifier: identifier, settings: settings, text: text)
    }

    /// Parses `[hh:]mm:ss.ttt` (with a comma in SubRip) to milliseconds; hand-written files omit zeros.
    private static func time(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(whereSeparator: { $0 == "." || $0 == "," })
        guard (1...2).contains(seconds.count) else { return nil }
        var fields: [Int64] = []
        for field in parts.dropLast() + [seconds[0]] {
            guard (1...4).contains(field.utf8.count), let value = Int64(digits: field) else { return nil }
            fields.append(value)
        }
        var milliseconds: Int64 = 0
        if seconds.count == 2 {
            guard (1...3).contains(seconds[1].utf8.count), let value = Int64(digits: seconds[1]) else { return nil }
            milliseconds = value * [100, 10, 1][seconds[1].utf8.count - 1]
        }
        let total = fields.reduce(0) { $0 * 60 + $1 } * 1_000 + milliseconds
        return total <= maximumTime ? total : nil
    }
}

/// The blocks of lines between empty lines, in a single pass over the text.
private struct Blocks: Sequence, IteratorProtocol {
    private var lines: LazyLines

    /// The largest number of lines in a block; the rest is cut off.
    private static let maximumLineCount = 1_000

    init(_ text: String) { lines = LazyLines(rest: text[...]) }

    mutating func next() -> [Substring]? {
        var block: [Substring] = []
        while let line = lines.next() {
            if line.allSatisfy(\.isWhitespace) {
                if !block.isEmpty { return block }
            } else if block.count < Self.maximumLineCount {
                block.append(line)
            }
        }
        return block.isEmpty ? nil : block
    }
}

/// The lines of a text; they end with CR, LF or both.
private struct LazyLines {
    var rest: Substring

    mutating func next() -> Substring? {
        guard !rest.isEmpty else { return nil }
        // CR with LF is a single character.
        let end = rest.firstIndex { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        guard let end else {
            defer { rest = "" }
            return rest
        }
        defer { rest = rest[rest.index(after: end)...] }
        return rest[..<end]
    }
}

extension Substring {
    /// The text without surrounding white space.
    var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
