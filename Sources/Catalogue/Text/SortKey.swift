/// The key that lists are ordered by: the title without case, diacritical marks and opening punctuation, so that
/// `Élite` is between `Duna` and `Feria`, and `¿Quién?` is listed under Q.
struct SortKey: Sendable, Hashable {
    /// The key. It does not contain control characters, because cursors use them as separators.
    let text: String

    /// Length limit of the key. With the ID as second key it is enough to tell titles apart; it also bounds cursors.
    static let maximumScalarCount = 64

    init(_ title: String) {
        let scalars = title.lowercased().unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .control: false
            default: true
            }
        }
        let word = scalars.drop { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
        var key = ""
        for scalar in (word.isEmpty ? scalars[...] : word).prefix(Self.maximumScalarCount) {
            key += LatinLetter.plain(scalar) ?? String(scalar)
        }
        text = key
    }
}
