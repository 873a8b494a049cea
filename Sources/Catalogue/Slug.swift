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

    /// This slug, or with the first number behind it that is free.
    package func unique(among isTaken: (String) throws -> Bool) rethrows -> String {
        if try !isTaken(description) { return description }
        var number = 2
        while try isTaken("\(description)-\(number)") { number += 1 }
        return "\(description)-\(number)"
    }
}
