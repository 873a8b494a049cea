import MediaCore

/// The display names of a title's renditions, which become NAME attributes: one line without quotation marks.
enum RenditionName {
    /// The largest number of characters of an author's name; a menu shows fewer.
    static let maximumCharacterCount = 80

    /// Returns an author's name as playlists may have it; `nil` if nothing is left of it.
    static func cleaned(_ name: String?) -> String? {
        guard let name else { return nil }
        // A character can have any number of scalars, so these are limited first.
        let scalars = name.unicodeScalars.prefix(maximumCharacterCount * 4).map { $0 == "\"" ? "'" : $0 }
        let line = UntrustedText.stripped(
            String(String.UnicodeScalarView(scalars)), maximumCharacterCount: .max
        ).prefix(maximumCharacterCount)
        let trimmed = line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }

    /// Returns a name that is not in use, with a number if it has to be told from another one, and marks it as used:
    /// the names of a group are distinct (rfc8216bis §4.4.6.1.1).
    static func distinct(_ name: String, used: inout Set<String>) -> String {
        var (candidate, number) = (name, 1)
        while !used.insert(candidate).inserted {
            number += 1
            candidate = "\(name) \(number)"
        }
        return candidate
    }
}
