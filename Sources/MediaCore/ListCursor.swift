/// The place in a list after which a page begins: the keys of the last item of the page before, in the order of the
/// list. With keyset paging, pages neither repeat nor skip items when others are added or removed in between.
package struct ListCursor: Sendable, Hashable {
    /// The keys of the item.
    package let keys: [String]
    private let list: String

    /// Length limit of a cursor, which has room for a sort key and an ID in base64.
    private static let maximumByteCount = 2_048
    /// Version of the format, which changes with it, so that an old cursor is refused and not misread.
    private static let version = "2"
    private static let numbers = "n"

    /// - Parameters:
    ///   - list: the name of the list or of its order, which changes with the meaning of the keys.
    ///   - keys: texts without NUL.
    package init(_ list: String, _ keys: [String]) { (self.list, self.keys) = (list, keys) }

    /// A place in a list in the order of numbers.
    package init(number: Int64) { self.init(Self.numbers, ["\(number)"]) }

    /// - Parameters:
    ///   - text: a cursor as a client gives it.
    ///   - list: the name of the list or of its order.
    ///   - keyCount: the number of keys of such a list.
    /// - Throws: ``Refusal`` with `invalidCursor` if the text was not made by ``text`` for such a list.
    package init(parsing text: String, of list: String, keyCount: Int) throws(Refusal) {
        guard text.utf8.count <= Self.maximumByteCount, let bytes = Base64URL.bytes(text),
            let plain = String(validating: bytes, as: UTF8.self)
        else { throw .invalidCursor }
        let fields = plain.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == keyCount + 2, fields[0] == Self.version, fields[1] == list else { throw .invalidCursor }
        self.init(list, Array(fields.dropFirst(2)))
    }

    /// The number after which a page begins, in a list in the order of numbers.
    ///
    /// - Throws: ``Refusal`` with `invalidCursor`.
    package static func number(parsing text: String) throws(Refusal) -> Int64 {
        let number = try ListCursor(parsing: text, of: numbers, keyCount: 1).number(0)
        guard number > 0 else { throw .invalidCursor }
        return number
    }

    /// The number before which the first page, or the page after a cursor, begins in a list from the highest number.
    ///
    /// - Throws: ``Refusal`` with `invalidCursor`.
    package static func start(_ cursor: String?) throws(Refusal) -> Int64 {
        guard let cursor else { return .max }
        return try number(parsing: cursor)
    }

    /// The cursor as clients get it: base64url without padding (RFC 4648 §5).
    package var text: String { Base64URL.text(([Self.version, list] + keys).joined(separator: "\0").utf8) }

    /// A key that is a number.
    ///
    /// - Throws: ``Refusal`` with `invalidCursor`.
    package func number(_ index: Int) throws(Refusal) -> Int64 {
        guard keys.indices.contains(index), let number = Int64(keys[index]) else { throw .invalidCursor }
        return number
    }
}
