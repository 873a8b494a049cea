/// What lists are ordered by: a title as people look it up, without case, marks and opening punctuation, so that
/// `Élite` is between `Duna` and `Feria`, and `¿Quién?` is a Q.
struct SortKey: Sendable, Hashable {
    /// Has no control character, which is what cursors are divided by.
    let text: String

    /// Enough to tell titles apart, with the id behind it; bounds the cursors, too.
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
