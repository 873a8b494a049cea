package import ISOBMFF
package import MediaCore
package import NIOCore

/// A subtitle file as cues: SubRip (`.srt`) or WebVTT (W3C WebVTT §6).
///
/// What does not make sense is left out, block by block, as players do: a subtitle file comes from anywhere, and one bad
/// line must not cost the rest.
package struct SubtitleDocument: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable {
        case subRip = "srt"
        case webVTT = "vtt"
    }

    /// In the order of their starts.
    package private(set) var cues: [SubtitleCue] = []
    /// STYLE and REGION blocks, which belong into every segment; comments are left out.
    package private(set) var definitions: [String] = []

    /// A film's is a hundred kilobytes.
    package static let maximumFileByteCount = 8 << 20
    /// A film has two thousand.
    package static let maximumCueCount = 50_000
    /// Of one cue; three lines of forty letters are what people can read.
    static let maximumCueByteCount = 4_096
    /// Of all definitions together.
    static let maximumDefinitionByteCount = 64 << 10
    /// A day; players' clocks and ours agree that far.
    static let maximumTime: Int64 = 24 * 3_600_000

    package init() {}

    /// Cues that were read elsewhere, within this type's limits.
    init(_ cues: [SubtitleCue]) {
        self.cues = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    /// - Parameters:
    ///   - bytes: not more than ``maximumFileByteCount``.
    ///   - language: tells how a file is encoded that is not in Unicode.
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
        // Stable: of cues that start together the first in the file is the first on the screen.
        cues = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    /// Texts of a movie's own track. What lasts over several samples, as in WebVTT tracks, is one cue again.
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

    /// Of a WebVTT track: shown at a time.
    private static let maximumOverlappingCount = 16

    private static func cue(_ block: [Substring], timing: Int, format: Format) -> SubtitleCue? {
        // An identifier is one line. SubRip's are mere numbers.
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

    /// `[hh:]mm:ss.ttt`, with a comma in SubRip. Milliseconds; files by hand leave zeros out.
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

/// Runs of lines between empty ones. The text is gone through once.
private struct Blocks: Sequence, IteratorProtocol {
    private var lines: LazyLines

    /// Longer lines are no subtitles; what is longer is cut off.
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

/// Lines that end with CR, LF or both.
private struct LazyLines {
    var rest: Substring

    mutating func next() -> Substring? {
        guard !rest.isEmpty else { return nil }
        // CR with LF is one character.
        let end = rest.firstIndex { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        guard let end else {
            defer { rest = "" }
            return rest
        }
        defer { rest = rest[rest.index(after: end)...] }
        return rest[..<end]
    }
}

/// SubRip's tags, which are HTML's, as WebVTT cue text.
enum SubRipMarkup {
    private static let kept: Set<String> = ["b", "i", "u", "/b", "/i", "/u"]

    /// Of a font's; a search to the end of the line from each of ten thousand brackets would take minutes.
    private static let maximumTagCharacterCount = 256

    /// Text without markup.
    static func escaped(_ line: Substring) -> String {
        String(line.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;"))
    }

    /// Bold, italics and underlining stay; colours, fonts and the positions of other formats go.
    static func converted(_ line: Substring) -> String {
        var result = ""
        var rest = line
        while let character = rest.first {
            switch character {
            case "<":
                guard let end = rest.prefix(maximumTagCharacterCount).firstIndex(of: ">") else {
                    result += "&lt;"
                    rest = rest.dropFirst()
                    continue
                }
                let tag = rest[rest.index(after: rest.startIndex)..<end].lowercased()
                let name = tag.prefix { !$0.isWhitespace }
                if kept.contains(String(name)) {
                    result += "<\(name)>"
                } else if !["font", "/font", "c", "/c", "s", "/s"].contains(String(name)) {
                    // "x < y > z" is no tag.
                    result += "&lt;"
                    rest = rest.dropFirst()
                    continue
                }
                rest = rest[rest.index(after: end)...]
            case "{" where rest.dropFirst().first == "\\":
                rest = rest.firstIndex(of: "}").map { rest[rest.index(after: $0)...] } ?? ""
            case "&":
                result += "&amp;"
                rest = rest.dropFirst()
            case ">":
                result += "&gt;"
                rest = rest.dropFirst()
            default:
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return String(result[...].trimmed)
    }
}

extension Substring {
    var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension Int64 {
    /// Of digits alone: `Int64("+5")` is a number, too.
    fileprivate init?(digits: Substring) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(digits)
    }
}
