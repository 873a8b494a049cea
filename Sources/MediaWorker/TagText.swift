import Foundation
import MediaCore

/// Cleans text that a file's author wrote into it.
package enum TagText {
    /// Limit on the characters of titles and artists, which have to fit into lists.
    static let maximumCharacterCount = 300

    /// The text on one line without surrounding blanks; `nil` if nothing is left.
    package static func clean(_ tag: String?, maximumCharacterCount: Int = Self.maximumCharacterCount) -> String? {
        guard let tag else { return nil }
        // Characters can have any length, so scalars are counted.
        let scalars = String(String.UnicodeScalarView(tag.unicodeScalars.prefix(maximumCharacterCount * 4)))
        let text = UntrustedText.stripped(scalars, maximumCharacterCount: .max)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : String(text.prefix(maximumCharacterCount))
    }
}
