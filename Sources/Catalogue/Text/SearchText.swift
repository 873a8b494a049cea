import Foundation

/// Text in its searchable form: without case, diacritical marks and ligatures, so that `strasse` finds `Straße`.
package struct SearchText: Sendable, Hashable {
    package let folded: String

    /// Combining marks of the Latin, Greek and Cyrillic alphabets. Marks of other scripts are kept, because they
    /// distinguish words.
    private static let marks: ClosedRange<UInt32> = 0x300...0x36F

    package init(_ text: String) {
        var scalars = ""
        // Compatibility decomposition (Unicode Standard Annex #15) splits ligatures into letters, and letters with
        // marks into letter and mark.
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            for letter in scalar.properties.lowercaseMapping.unicodeScalars where !Self.marks.contains(letter.value) {
                switch letter {
                // Letters without a decomposition, and a special case of case folding (CaseFolding.txt, status F).
                case "ς": scalars += "σ"
                case "þ": scalars += "th"
                case "ħ": scalars += "h"
                default: scalars += LatinLetter.plain(letter) ?? String(letter)
                }
            }
        }
        // Recomposes what was split but not folded, so that it remains one word.
        folded = scalars.precomposedStringWithCanonicalMapping
    }
}
