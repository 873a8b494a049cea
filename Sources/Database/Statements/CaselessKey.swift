import Foundation

/// A text without case: two texts that differ in case only have the same key, whichever script they are in.
///
/// Neither engine folds the case of anything but ASCII without an extension, and PostgreSQL's `lower` depends on the
/// server's locale. A name that must be unique regardless of case, such as a username, is therefore stored twice: as it
/// was typed, and its key in a column that ``SQLColumn/caselessKey(_:_:)`` declares. Look-ups compare the key only:
///
///     WHERE nameKey = ?1        with the argument .caseless(name)
///
/// Accents distinguish texts, unlike in searches: `José` and `Jose` are two users.
package struct CaselessKey: Sendable, Hashable {
    package let text: String

    /// Canonical caseless matching (Unicode Standard, 3.13, D145): the canonical decomposition, without case, composed
    /// again, so that it does not matter how a keyboard makes its letters.
    package init(_ text: String) {
        var folded = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            // Upper case joins it with `i`, case folding does not.
            case "ı": folded.append(scalar)
            // Upper case first: it splits `ß` and joins the forms of a letter, such as those of sigma.
            default:
                for letter in scalar.properties.uppercaseMapping.unicodeScalars {
                    folded.append(contentsOf: letter.properties.lowercaseMapping.unicodeScalars)
                }
            }
        }
        self.text = String(folded).precomposedStringWithCanonicalMapping
    }
}
