/// The text of an announcement: lines with `**strong**`, `*emphasized*` and `[a link](https://example.org)` text, a
/// subset of Markdown. Everything else is shown as it is, marks without an end included.
package enum AnnouncementText {
    /// A part of the text.
    package enum Span: Sendable, Hashable {
        case plain(String)
        case strong(String)
        case emphasis(String)
        /// A link to a path of the site, or to another site.
        case link(String, address: String)
        case lineBreak
    }

    /// The parts of a text, in order.
    package static func spans(_ text: String) -> [Span] {
        var spans: [Span] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { spans.append(.lineBreak) }
            append(line, to: &spans)
        }
        return spans
    }

    private static func append(_ line: Substring, to spans: inout [Span]) {
        var (rest, plain) = (line, Substring())
        while !rest.isEmpty {
            if let (span, end) = marked(rest) {
                if !plain.isEmpty { spans.append(.plain(String(plain))) }
                spans.append(span)
                (rest, plain) = (rest[end...], "")
            } else {
                plain.append(rest.removeFirst())
            }
        }
        if !plain.isEmpty { spans.append(.plain(String(plain))) }
    }

    /// The span that a text begins with, and where the text goes on; `nil` if it begins with none.
    private static func marked(_ text: Substring) -> (Span, Substring.Index)? {
        if let (inner, end) = enclosed(text, "**", "**") { return (.strong(String(inner)), end) }
        if let (inner, end) = enclosed(text, "*", "*") { return (.emphasis(String(inner)), end) }
        guard let (label, middle) = enclosed(text, "[", "]"), let (address, end) = enclosed(text[middle...], "(", ")"),
            isAddress(address)
        else { return nil }
        return (.link(String(label), address: String(address)), end)
    }

    /// The text between two marks at the beginning of another one, which is not empty and neither begins nor ends with
    /// a space.
    private static func enclosed(
        _ text: Substring, _ opening: String, _ closing: String
    ) -> (Substring, Substring.Index)? {
        guard text.hasPrefix(opening) else { return nil }
        let rest = text.dropFirst(opening.count)
        guard let end = rest.firstRange(of: closing), let first = rest[..<end.lowerBound].first, first != " ",
            rest[..<end.lowerBound].last != " "
        else { return nil }
        return (rest[..<end.lowerBound], end.upperBound)
    }

    /// True for the addresses of links: a path of this site, or another site over HTTP or HTTPS. No other scheme
    /// runs a script.
    private static func isAddress(_ address: Substring) -> Bool {
        let lower = address.lowercased()
        let isElsewhere = lower.hasPrefix("https://") || lower.hasPrefix("http://")
        let isHere = address.hasPrefix("/") && !address.hasPrefix("//") && !address.hasPrefix("/\\")
        return (isElsewhere || isHere) && address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
}
