/// Parses one line. Each mark looks for its end once: where the next one is stays known, so that a line of marks
/// without an end takes no longer than another one.
struct MarkupLine {
    private let bytes: [UInt8]
    /// The first place of a byte from a place on that was asked for; the end of the line if there is none.
    private var known: [UInt8: (from: Int, place: Int)] = [:]
    private var spans: [MarkupSpan] = []
    private var plainStart = 0

    /// Limits of the text and the address of a link in bytes.
    private static let maximumLabelByteCount = 1_000
    private static let maximumAddressByteCount = 2_000
    /// Limit of the digits of the number of a comment.
    private static let maximumDigitCount = 12

    static func spans(_ line: Substring) -> [MarkupSpan] {
        var parser = MarkupLine(bytes: Array(line.utf8))
        parser.parse()
        return parser.spans
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func parse() {
        var place = 0
        while place < bytes.count {
            if let (span, end) = marked(at: place) {
                endPlain(at: place)
                spans.append(span)
                (place, plainStart) = (end, end)
            } else {
                place += 1
            }
        }
        endPlain(at: bytes.count)
    }

    private mutating func endPlain(at end: Int) {
        if plainStart < end { spans.append(.plain(text(plainStart..<end))) }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The span that begins at a place, and its end; `nil` for plain text.
    private mutating func marked(at place: Int) -> (MarkupSpan, end: Int)? {
        switch bytes[place] {
        case UInt8(ascii: "*"): emphasis(at: place)
        case UInt8(ascii: "`"):
            enclosed(UInt8(ascii: "`"), from: place + 1).map { (.code(text($0)), $0.upperBound + 1) }
        case UInt8(ascii: "["): link(at: place)
        case UInt8(ascii: "h"), UInt8(ascii: "H"): isBoundary(place) ? address(at: place) : nil
        case UInt8(ascii: "#"): isBoundary(place) ? comment(at: place) : nil
        case UInt8(ascii: "0")...UInt8(ascii: "9"): isBoundary(place) ? time(at: place) : nil
        default: nil
        }
    }

    /// Whether no word goes on at a place.
    private func isBoundary(_ place: Int) -> Bool {
        guard place > 0, place < bytes.count else { return true }
        return !Self.isWord(bytes[place - 1])
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "/"), 0x80...:
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func next(_ byte: UInt8, from place: Int) -> Int? {
        if let known = known[byte], known.from <= place, place <= known.place {
            return known.place < bytes.count ? known.place : nil
        }
        let found = place < bytes.count ? bytes[place...].firstIndex(of: byte) : nil
        known[byte] = (place, found ?? bytes.count)
        return found
    }

    /// The range between a place and the next byte of a kind, which is not empty and neither begins nor ends with a
    /// blank.
    private mutating func enclosed(_ byte: UInt8, from place: Int) -> Range<Int>? {
        guard let end = next(byte, from: place), end > place, bytes[place] != 0x20, bytes[end - 1] != 0x20 else {
            return nil
        }
        return place..<end
    }

    private mutating func emphasis(at place: Int) -> (MarkupSpan, end: Int)? {
        let star = UInt8(ascii: "*")
        let isStrong = place + 1 < bytes.count && bytes[place + 1] == star
        guard isStrong else {
            return enclosed(star, from: place + 1).map { (.emphasis(text($0)), $0.upperBound + 1) }
        }
        guard let range = enclosed(star, from: place + 2), range.upperBound + 1 < bytes.count,
            bytes[range.upperBound + 1] == star
        else { return nil }
        return (.strong(text(range)), range.upperBound + 2)
    }

    private mutating func link(at place: Int) -> (MarkupSpan, end: Int)? {
        guard let label = enclosed(UInt8(ascii: "]"), from: place + 1), label.count <= Self.maximumLabelByteCount,
            label.upperBound + 1 < bytes.count, bytes[label.upperBound + 1] == UInt8(ascii: "("),
            let address = enclosed(UInt8(ascii: ")"), from: label.upperBound + 2)
        else { return nil }
        guard address.count <= Self.maximumAddressByteCount, Self.isAddress(bytes[address]) else { return nil }
        return (.link(text(label), address: text(address)), address.upperBound + 1)
    }

    /// True for the addresses of links: a path of this site, or another site over HTTP or HTTPS. No other scheme runs a
    /// script.
    private static func isAddress(_ address: ArraySlice<UInt8>) -> Bool {
        guard address.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return false }
        let isHere = address.starts(with: "/".utf8) && !address.starts(with: "//".utf8)
        return isHere || schemeLength(address) != nil
    }

    private static func schemeLength(_ address: ArraySlice<UInt8>) -> Int? {
        let beginning = address.prefix(8).map { $0 | ($0 >= 0x41 && $0 <= 0x5A ? 0x20 : 0) }
        return ["https://", "http://"].first { beginning.starts(with: $0.utf8) }?.utf8.count
    }

    /// An address without marks, to its end.
    private func address(at place: Int) -> (MarkupSpan, end: Int)? {
        let start = bytes[place...]
        guard let scheme = Self.schemeLength(start) else { return nil }
        var end =
            start.prefix(Self.maximumAddressByteCount).firstIndex { byte in
                byte <= 0x20 || byte == 0x7F || "<>\"\\`|{}".utf8.contains(byte)
            } ?? min(bytes.count, place + Self.maximumAddressByteCount)
        // What ends a sentence is not part of the address.
        while end > place + scheme, ".,;:!?)'*_".utf8.contains(bytes[end - 1]) { end -= 1 }
        // Never the half of a character.
        while end < bytes.count, end > place, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        guard end > place + scheme else { return nil }
        let address = text(place..<end)
        return (.link(address, address: address), end)
    }

    private func comment(at place: Int) -> (MarkupSpan, end: Int)? {
        let digits = bytes[(place + 1)...].prefix(Self.maximumDigitCount + 1).prefix(while: Self.isDigit)
        guard digits.count <= Self.maximumDigitCount, let number = Int64(text(digits.startIndex..<digits.endIndex)),
            number > 0, digits.endIndex == bytes.count || !Self.isWord(bytes[digits.endIndex]) || isEnd(digits.endIndex)
        else { return nil }
        return (.comment(place: number), digits.endIndex)
    }

    /// Whether a full stop or a colon at a place ends something, because no word goes on after it.
    private func isEnd(_ place: Int) -> Bool {
        let isMark = bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: ":")
        return isMark && (place + 1 == bytes.count || !Self.isWord(bytes[place + 1]))
    }

    /// `12:34` or `1:02:03`.
    private func time(at place: Int) -> (MarkupSpan, end: Int)? {
        let candidate = bytes[place...].prefix(9).prefix { Self.isDigit($0) || $0 == UInt8(ascii: ":") }
        var parts = candidate.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var end = candidate.endIndex
        if parts.last?.isEmpty == true, parts.count > 2 {
            parts.removeLast()
            end -= 1
        }
        guard parts.count == 2 || parts.count == 3, (1...2).contains(parts[0].count),
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        guard end == bytes.count || !Self.isWord(bytes[end]) || isEnd(end) else { return nil }
        let numbers = parts.compactMap { Int(text($0.startIndex..<$0.endIndex)) }
        guard numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return (.time(text(place..<end), seconds: numbers.reduce(0) { $0 * 60 + $1 }), end)
    }
}
