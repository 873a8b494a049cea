/// A regular expression with the features that `pattern` needs in the schema: anchors, literals, character classes and
/// quantifiers, without groups or alternatives.
///
/// Swift's and Foundation's regular expressions would add megabytes to a server that matches eight names at startup.
package struct SchemaPattern: Sendable, Equatable {
    private enum Class: Sendable, Equatable {
        case any
        case ranges([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .any: true
            case .ranges(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            }
        }
    }

    private struct Piece: Sendable, Equatable {
        var characters: Class
        var minimumCount: Int
        var maximumCount: Int
    }

    private var pieces: [Piece] = []
    private var isAnchoredAtStart = false
    private var isAnchoredAtEnd = false

    /// Returns `nil` if `pattern` uses a feature that is not implemented here.
    package init?(_ pattern: String) {
        var rest = Array(pattern.unicodeScalars)[...]
        if rest.first == "^" {
            isAnchoredAtStart = true
            rest = rest.dropFirst()
        }
        if rest.last == "$", rest.dropLast().last != "\\" {
            isAnchoredAtEnd = true
            rest = rest.dropLast()
        }
        while !rest.isEmpty {
            guard let characters = Self.parseClass(&rest), let counts = Self.parseQuantifier(&rest) else { return nil }
            pieces.append(
                Piece(characters: characters, minimumCount: counts.lowerBound, maximumCount: counts.upperBound))
        }
    }

    /// Returns whether the pattern matches the text, anywhere in it unless the pattern is anchored.
    package func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        let starts = isAnchoredAtStart ? 0...0 : 0...scalars.count
        return starts.contains { matches(pieces[...], scalars[$0...]) }
    }

    private func matches(_ pieces: ArraySlice<Piece>, _ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let piece = pieces.first else { return !isAnchoredAtEnd || scalars.isEmpty }
        let longest = scalars.prefix(piece.maximumCount).prefix { piece.characters.contains($0) }.count
        guard longest >= piece.minimumCount else { return false }
        return (piece.minimumCount...longest).reversed().contains { count in
            matches(pieces.dropFirst(), scalars.dropFirst(count))
        }
    }

    // MARK: Parsing

    private static func parseClass(_ rest: inout ArraySlice<Unicode.Scalar>) -> Class? {
        guard let first = rest.first, !"()|*+?{}^$]".unicodeScalars.contains(first) else { return nil }
        rest = rest.dropFirst()
        switch first {
        case ".": return .any
        case "[": return parseRanges(&rest)
        case "\\":
            guard let escaped = rest.popFirst() else { return nil }
            if escaped == "d" { return .ranges(["0"..."9"], isNegated: false) }
            // Classes such as \w and \s are not needed here; a letter or digit after a backslash is never a literal.
            guard !escaped.properties.isAlphabetic, !("0"..."9").contains(escaped) else { return nil }
            return .ranges([escaped...escaped], isNegated: false)
        default: return .ranges([first...first], isNegated: false)
        }
    }

    private static func parseRanges(_ rest: inout ArraySlice<Unicode.Scalar>) -> Class? {
        var isNegated = false
        if rest.first == "^" {
            isNegated = true
            rest = rest.dropFirst()
        }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while var lower = rest.popFirst() {
            if lower == "]" { return ranges.isEmpty ? nil : .ranges(ranges, isNegated: isNegated) }
            if lower == "\\" {
                guard let escaped = rest.popFirst(), !escaped.properties.isAlphabetic else { return nil }
                lower = escaped
            }
            if rest.first == "-", let upper = rest.dropFirst().first, upper != "]" {
                guard lower <= upper else { return nil }
                rest = rest.dropFirst(2)
                ranges.append(lower...upper)
            } else {
                ranges.append(lower...lower)
            }
        }
        return nil
    }

    private static func parseQuantifier(_ rest: inout ArraySlice<Unicode.Scalar>) -> ClosedRange<Int>? {
        switch rest.first {
        case "*":
            rest = rest.dropFirst()
            return 0...Int.max
        case "+":
            rest = rest.dropFirst()
            return 1...Int.max
        case "?":
            rest = rest.dropFirst()
            return 0...1
        case "{":
            guard let end = rest.firstIndex(of: "}") else { return nil }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            let bounds = String(view).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard let lower = bounds.first.flatMap({ Int($0) }), lower >= 0, bounds.count <= 2 else { return nil }
            guard bounds.count == 2 else { return lower...lower }
            guard !bounds[1].isEmpty else { return lower...Int.max }
            guard let upper = Int(bounds[1]), upper >= lower else { return nil }
            return lower...upper
        default: return 1...1
        }
    }
}
