import Foundation

/// Text as it is searched: without case, marks and ligatures, so that `strasse` finds `Straße`.
struct SearchText: Sendable, Hashable {
    let folded: String

    /// Combining marks of the Latin, Greek and Cyrillic alphabets; those of other scripts tell words apart.
    private static let marks: ClosedRange<UInt32> = 0x300...0x36F

    init(_ text: String) {
        var scalars = ""
        // Compatibility forms first (Unicode Standard Annex #15): a ligature is its letters, a letter with a mark is two.
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            for letter in scalar.properties.lowercaseMapping.unicodeScalars where !Self.marks.contains(letter.value) {
                switch letter {
                // Letters that no decomposition takes apart, and case folding's own (CaseFolding.txt, status F).
                case "ς": scalars += "σ"
                case "þ": scalars += "th"
                case "ħ": scalars += "h"
                default: scalars += LatinLetter.plain(letter) ?? String(letter)
                }
            }
        }
        // What was taken apart and is no variant is whole again, so that it stays one word.
        folded = scalars.precomposedStringWithCanonicalMapping
    }
}
