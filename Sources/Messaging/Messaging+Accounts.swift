package import Accounts
package import Database

extension Messaging {
    /// Takes a member out of all conversations, before their account is deleted in the same transaction. What they have
    /// written to others stays without their name; what nobody else reads is deleted. The rest goes with the account.
    ///
    /// - Throws: `SQLError`
    package func forget(_ user: UserID, _ db: any SQLConnection) throws {
        for number in try ConversationMemberRows.conversations(of: user, db) {
            _ = try ConversationMemberRows.delete(user, from: number, db)
            if try ConversationMemberRows.users(of: number, db).isEmpty {
                try ConversationRows.delete(number, db)
            } else {
                try ConversationRows.forgetPair(number, db)
                try ConversationMemberRows.promote(in: number, db)
                try touch(number, db)
            }
        }
    }

    /// A member's data, for the export.
    package struct OwnData: Sendable {
        package var preferences: MessagingPreferences
        package var contacts: [Contact]
        package var invitations: [ContactInvitation]
        package var conversations: [Conversation]
        package var messages: [ConversationMessage]
    }

    /// Number of messages that are read at once for an export, and the limit of those that it has.
    private static let exportBatchSize = 1_000
    private static let maximumExportCount = 500_000

    /// All that a member has here: their contacts, and the conversations as they read them.
    ///
    /// - Throws: `SQLError`
    package func ownData(of member: UserID) async throws -> OwnData {
        var data = try await database.read { db in
            OwnData(
                preferences: try MessagingMemberRows.preferences(of: member, db),
                contacts: try ContactRows.contacts(
                    of: member, prefix: "", after: "", limit: MessagingLimits.contactCount, db),
                invitations: try InvitationRows.all(of: member, limit: MessagingLimits.contactCount, db),
                conversations: try ConversationRows.page(
                    .all, of: member, before: .max, limit: MessagingLimits.conversationCount, db),
                messages: [])
        }
        var last: Int64 = 0
        while data.messages.count < Self.maximumExportCount {
            let after = last
            let batch = try await database.read { db in
                try MessageRows.all(of: member, after: after, limit: Self.exportBatchSize, db)
            }
            data.messages += batch
            guard batch.count == Self.exportBatchSize, let end = batch.last else { break }
            last = end.number
        }
        return data
    }
}
