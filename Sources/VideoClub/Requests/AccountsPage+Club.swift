import Accounts

extension AccountsPage {
    /// The number before which a page begins.
    ///
    /// - Throws: ``ClubError`` with `invalidCursor`.
    static func start(_ cursor: String?) throws(ClubError) -> Int64 {
        guard let cursor else { return .max }
        guard let number = try? number(parsing: cursor) else {
            throw ClubError(.invalidCursor, "the cursor is not the `next` value of a page of this list")
        }
        return number
    }
}
