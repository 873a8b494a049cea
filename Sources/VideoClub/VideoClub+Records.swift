package import Accounts
package import Database
import MediaCore

extension VideoClub {
    /// Removes what people have written about a member from the ledger, before the account is deleted in the same
    /// transaction. Amounts and times stay: the ledger has to add up.
    package static func forget(_ user: UserID, _ db: any SQLConnection) throws {
        try LedgerRows.forgetNotes(of: .member(user), db)
    }

    /// The club's data about a member, for the export of the member's data: movements and rentals newest first.
    ///
    /// - Returns: at most ``MemberRecords/maximumCount`` of each.
    package func memberRecords(of user: UserID) async throws -> MemberRecords {
        var records = MemberRecords(readAt: wallClock.now())
        var cursor: String?
        let size = ListPage<CreditMovement>.maximumSize
        repeat {
            let page = try await movements(of: user, after: cursor, limit: size).page
            records.movements += page.items
            cursor = page.next
        } while cursor != nil && records.movements.count + size <= MemberRecords.maximumCount
        cursor = nil
        repeat {
            let page = try await rentals(of: user, after: cursor, limit: size)
            records.rentals += page.items
            cursor = page.next
        } while cursor != nil && records.rentals.count + size <= MemberRecords.maximumCount
        records.votes = try await database.read { db in
            try VoteRows.all(by: user, limit: MemberRecords.maximumCount, db)
        }
        return records
    }
}
