/// A readable URL path component made from a name: lower-case ASCII letters, digits and hyphens.
package struct Slug: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Length limit in bytes: long enough to tell names apart, short enough for URLs.
    static let maximumByteCount = 64

    /// - Parameters:
    ///   - name: any text.
    ///   - fallback: the slug to use if `name` has no letters or digits with an ASCII form.
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

    /// This slug, or the slug with a free number appended: the lowest free number unless numbers in between have
    /// become free.
    ///
    /// Calls `isTaken` a few dozen times at most, even if 10,000 files have the same name.
    package func unique(among isTaken: (String) throws -> Bool) rethrows -> String {
        if try !isTaken(description) { return description }
        // Doubles the number until one is free, then finds the end of the taken numbers by bisection.
        var (taken, free) = (1, 2)
        while try isTaken("\(description)-\(free)") { (taken, free) = (free, free &* 2) }
        while free - taken > 1 {
            let middle = taken + (free - taken) / 2
            if try isTaken("\(description)-\(middle)") { taken = middle } else { free = middle }
        }
        return "\(description)-\(free)"
    }
}
