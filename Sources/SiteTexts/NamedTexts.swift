/// A text for each value of an enumeration, by the raw values.
package struct NamedTexts<Key: RawRepresentable<String> & Sendable>: Sendable, Decodable {
    private let texts: [String: String]

    package init(from decoder: any Decoder) throws { texts = try [String: String](from: decoder) }

    /// The text for a value; `nil` if the files have none.
    package subscript(_ key: Key) -> String? { texts[key.rawValue] }
}
