import Crypto
import MediaCore

/// The name of a series, an album or an artist, which says which collection it is: however it is written, with or
/// without accents, it is the same.
struct CollectionName: Sendable, Hashable {
    /// The name as people see it.
    let text: String
    private let folded: String

    /// Number of bytes of a digest that make an ID; two names with the same one cannot be found.
    private static let identifierByteCount = 12

    /// - Returns: `nil` if nothing is left that could be read.
    init?(_ text: String?) {
        guard let text else { return nil }
        let visible = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control || $0.properties.isWhitespace
        }
        let words = SearchText(String(String.UnicodeScalarView(visible))).folded.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return nil }
        self.text = text
        folded = words.joined(separator: " ")
    }

    /// The sort key, apart from others that begin in the same way.
    var sortKey: String { SortKey(folded).text }

    /// The ID of a collection: a digest, so that it says nothing about the name and has one length.
    ///
    /// - Parameters:
    ///   - kind: tells collections with the same name apart.
    ///   - owner: the artist of an album; `nil` without one.
    func identifier(_ kind: String, of owner: CollectionName? = nil) -> String {
        let parts = [kind, folded] + (owner.map { [$0.folded] } ?? [])
        return SHA256.hash(data: Array(parts.joined(separator: "\u{0}").utf8)).prefix(Self.identifierByteCount)
            .hexadecimalDigits
    }
}
