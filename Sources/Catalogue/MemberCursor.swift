import Database

/// The end of a page of the items in a collection.
struct MemberCursor: Equatable {
    var part, position: Int64
    var sortKey: String
    var number: Int64

    private static let version = "m1"

    var keys: [SQLValue] { [.integer(part), .integer(position), .text(sortKey), .integer(number)] }

    var text: String { CursorText.encoded([Self.version, "\(part)", "\(position)", sortKey, "\(number)"]) }

    init(part: Int64, position: Int64, sortKey: String, number: Int64) {
        (self.part, self.position, self.sortKey, self.number) = (part, position, sortKey, number)
    }

    /// - Throws: ``CatalogueError`` if the text is not a cursor of such a list.
    init(parsing text: String) throws(CatalogueError) {
        guard let fields = CursorText.decoded(text), fields.count == 5, fields[0] == Self.version,
            let part = Int64(fields[1]), let position = Int64(fields[2]), let number = Int64(fields[4])
        else { throw CursorText.invalid }
        self.init(part: part, position: position, sortKey: fields[3], number: number)
    }
}
