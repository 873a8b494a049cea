import Database
import MediaCore

/// The end of a page of the items in a collection.
struct MemberCursor: Equatable {
    var part, position: Int64
    var sortKey: String
    var number: Int64

    private static let list = "collection"

    var keys: [SQLValue] { [.integer(part), .integer(position), .text(sortKey), .integer(number)] }

    var text: String { ListCursor(Self.list, ["\(part)", "\(position)", sortKey, "\(number)"]).text }

    init(part: Int64, position: Int64, sortKey: String, number: Int64) {
        (self.part, self.position, self.sortKey, self.number) = (part, position, sortKey, number)
    }

    /// - Throws: `Refusal` if the text is not a cursor of such a list.
    init(parsing text: String) throws(Refusal) {
        let place = try ListCursor(parsing: text, of: Self.list, keyCount: 4)
        self.init(
            part: try place.number(0), position: try place.number(1), sortKey: place.keys[2],
            number: try place.number(3))
    }
}
