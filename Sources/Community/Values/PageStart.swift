import Accounts

/// The number before or after which a page begins.
struct PageStart {
    /// The highest number for the first page.
    let number: Int64

    /// - Throws: ``CommunityError`` with `invalidCursor`.
    init(_ cursor: String?) throws(CommunityError) {
        guard let cursor else {
            number = .max
            return
        }
        guard let found = try? AccountsPage<Int>.number(parsing: cursor) else {
            throw .invalidCursor
        }
        number = found
    }
}
