import Foundation

/// A password as it is hashed: in the form of RFC 8265 §4.2, the OpaqueString profile of PRECIS. Spaces of all kinds
/// are the ASCII space, the text is in Unicode's normalization form C, and control characters are refused. Case and
/// leading and trailing spaces count.
package struct Password: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: [UInt8]
    let text: String

    /// Longer than any sentence that somebody types; a longer one would only cost time.
    package static let maximumByteCount = 1_024

    /// - Returns: `nil` for an empty text, one that is too long, and one with control characters. No account has such
    ///   a password.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount else { return nil }
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: return nil
            case .spaceSeparator: mapped.append(" ")
            default: mapped.append(scalar)
            }
        }
        self.text = String(mapped).precomposedStringWithCanonicalMapping
        bytes = Array(self.text.utf8)
    }

    /// A constant, because interpolated values end up in logs.
    package var description: String { "password" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
