/// A subset of Markdown: paragraphs, `# headings`, lists, `> quotes`, fenced code, and in lines `**strong**`,
/// `*emphasized*`, code between backquotes, `[a link](https://example.org)`, addresses, times such as `12:34`, and
/// `#12` for a comment. Everything else is plain text, HTML and marks without an end included.
///
/// The time that parsing takes grows with the length of the text only.
package struct MarkupText: Sendable, Hashable {
    package let blocks: [MarkupBlock]

    /// Limit of quotes in quotes; deeper ones are part of the last.
    private static let maximumDepth = 4

    package init(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(Substring.init)
        blocks = Self.blocks(lines[...], depth: 0)
    }

    private static func blocks(_ lines: ArraySlice<Substring>, depth: Int) -> [MarkupBlock] {
        var (blocks, rest) = ([MarkupBlock](), lines)
        while let line = rest.first {
            if line.allSatisfy(\.isWhitespace) {
                rest.removeFirst()
            } else if line.hasPrefix("```") {
                blocks.append(code(&rest))
            } else if isQuote(line), depth < maximumDepth {
                blocks.append(quote(&rest, depth: depth))
            } else if let (level, text) = heading(line) {
                blocks.append(.heading(level, MarkupLine.spans(text)))
                rest.removeFirst()
            } else if let item = item(line) {
                blocks.append(list(&rest, isOrdered: item.isOrdered))
            } else {
                blocks.append(paragraph(&rest, depth: depth))
            }
        }
        return blocks
    }

    private static func code(_ rest: inout ArraySlice<Substring>) -> MarkupBlock {
        rest.removeFirst()
        let lines = rest.prefix { !$0.hasPrefix("```") }
        rest = rest.dropFirst(lines.count + 1)
        return .code(lines.joined(separator: "\n"))
    }

    private static func isQuote(_ line: Substring) -> Bool { line.hasPrefix(">") }

    private static func quote(_ rest: inout ArraySlice<Substring>, depth: Int) -> MarkupBlock {
        let lines = rest.prefix(while: isQuote)
        rest = rest.dropFirst(lines.count)
        var inner = lines.map { line in
            let text = line.dropFirst()
            return text.hasPrefix(" ") ? text.dropFirst() : text
        }
        guard let place = lines.first.flatMap({ QuotedPlaces.place(inLine: $0) }) else {
            return .quote(blocks(inner[...], depth: depth + 1), place: nil, author: nil)
        }
        let first = inner.removeFirst()
        let author = first.split(separator: " ").dropFirst().first.flatMap { word in
            word.hasPrefix("@") && word.count > 1 ? String(word.dropFirst()) : nil
        }
        return .quote(blocks(inner[...], depth: depth + 1), place: place, author: author)
    }

    private static func heading(_ line: Substring) -> (level: Int, text: Substring)? {
        let level = line.prefix { $0 == "#" }.count
        guard (1...3).contains(level), line.dropFirst(level).hasPrefix(" ") else { return nil }
        return (level, line.dropFirst(level + 1))
    }

    /// The text of an item of a list, such as `- text` or `3. text`.
    private static func item(_ line: Substring) -> (isOrdered: Bool, text: Substring)? {
        if line.hasPrefix("- ") || line.hasPrefix("* ") { return (false, line.dropFirst(2)) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        guard (1...3).contains(digits.count), line.dropFirst(digits.count).hasPrefix(". ") else { return nil }
        return (true, line.dropFirst(digits.count + 2))
    }

    private static func list(_ rest: inout ArraySlice<Substring>, isOrdered: Bool) -> MarkupBlock {
        var items: [[MarkupSpan]] = []
        while let line = rest.first, let item = item(line), item.isOrdered == isOrdered {
            items.append(MarkupLine.spans(item.text))
            rest.removeFirst()
        }
        return .list(items, isOrdered: isOrdered)
    }

    private static func paragraph(_ rest: inout ArraySlice<Substring>, depth: Int) -> MarkupBlock {
        var spans: [MarkupSpan] = []
        while let line = rest.first, !line.allSatisfy(\.isWhitespace) {
            if !spans.isEmpty {
                let beginsBlock = line.hasPrefix("```") || isQuote(line) && depth < maximumDepth
                if beginsBlock || heading(line) != nil || item(line) != nil { break }
                spans.append(.lineBreak)
            }
            spans += MarkupLine.spans(line)
            rest.removeFirst()
        }
        return .paragraph(spans)
    }
}
