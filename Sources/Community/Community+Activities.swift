package import Accounts
package import Catalogue
import Database

extension Community {
    /// A page of activities, newest first.
    ///
    /// - Parameters:
    ///   - list: which list.
    ///   - caller: the member.
    ///   - visible: which titles the member may be shown; `nil` for all.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: ``CommunityError`` with `loginNeeded` or `invalidCursor`.
    package func activities(
        _ list: ActivityList, of caller: Caller, visible: RecordVisibility?, after cursor: String? = nil,
        limit: Int? = nil
    ) async throws -> AccountsPage<Activity> {
        let (member, size) = (try Self.member(caller).id, AccountsPage<Activity>.size(limit))
        let start = try PageStart(cursor).number
        let rows = try await database.read { db in
            let isSparse = try list == .followed && ActivityRows.isSparse(member, db)
            return try ActivityRows.page(
                ActivityQuery(
                    list, of: member, visible: visible, before: start, limit: size + 1, isSparse: isSparse), db)
        }
        return AccountsPage(rows, size: size) { String($0.number) }
    }
}
