package import Accounts
package import Catalogue
import Database
package import MediaCore

extension Community {
    /// A page of activities, newest first.
    ///
    /// - Parameters:
    ///   - list: which list.
    ///   - caller: the member.
    ///   - visible: which titles the member may be shown; `nil` for all.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `loginNeeded` or `invalidCursor`.
    package func activities(
        _ list: ActivityList, of caller: Caller, visible: RecordVisibility?, after cursor: String? = nil,
        limit: Int? = nil
    ) async throws -> ListPage<Activity> {
        let (member, size) = (try Self.member(caller).id, ListPage<Activity>.size(limit))
        let start = try ListCursor.start(cursor)
        let rows = try await database.read { db in
            let isSparse = try list == .followed && ActivityRows.isSparse(member, db)
            return try ActivityRows.page(
                ActivityQuery(
                    list, of: member, visible: visible, before: start, limit: size + 1, isSparse: isSparse), db)
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }
}
