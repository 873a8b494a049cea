/// A name as a URL path component that people can read: lower-case ASCII letters, digits and hyphens.
package struct Slug: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Long enough to tell names apart, short enough for URLs.
    static let maximumByteCount = 64

    /// - Parameter name: anything; what has no letters or digits that can be written in ASCII becomes `fallback`.
    package init(_ name: String, fallback: String) {
        var result = ""
        for scalar in name.lowercased().unicodeScalars {
            if let plain = LatinLetter.plain(scalar) {
                result += plain
            } else if !result.isEmpty, !result.hasSuffix("-"), scalar.properties.generalCategory != .nonspacingMark {
                result += "-"
            }
            if result.utf8.count >= Self.maximumByteCount { break }
        }
        while result.hasSuffix("-") { result.removeLast() }
        description = result.isEmpty ? fallback : result
    }

    /// This slug, or the slug with a free number after it: the first one unless numbers in between were given up.
    ///
    /// Asks a few dozen times at most, however many numbers are taken: 10,000 files of one name are no work.
    package func unique(among isTaken: (String) throws -> Bool) rethrows -> String {
        if try !isTaken(description) { return description }
        // Twice as far each time until a number is free, then back by halves to where the taken ones end.
        var (taken, free) = (1, 2)
        while try isTaken("\(description)-\(free)") { (taken, free) = (free, free &* 2) }
        while free - taken > 1 {
            let middle = taken + (free - taken) / 2
            if try isTaken("\(description)-\(middle)") { taken = middle } else { free = middle }
        }
        return "\(description)-\(free)"
    }
}
