/// The comments that a text quotes: a quote names its comment in its first line, as in `> #12 @ana`.
package enum QuotedPlaces {
    /// Limit of the digits of a number.
    private static let maximumDigitCount = 12

    /// The first line of a quote of a comment.
    package static func line(place: Int64, author: String?) -> String {
        "> #\(place)\(author.map { " @\($0)" } ?? "")"
    }

    /// The numbers in a text, each once, in its order.
    static func all(in text: String) -> [Int64] {
        var known: Set<Int64> = []
        return text.split(whereSeparator: \.isNewline).compactMap { place(inLine: $0) }
            .filter { known.insert($0).inserted }
    }

    /// The number that a line of a quote names; `nil` for any other line.
    package static func place(inLine line: some StringProtocol) -> Int64? {
        guard line.hasPrefix("> #") else { return nil }
        let digits = line.dropFirst(3).prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= maximumDigitCount, let place = Int64(digits), place > 0 else { return nil }
        return place
    }
}
