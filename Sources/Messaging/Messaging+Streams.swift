package import Accounts
import Database
package import MediaCore

extension Messaging {
    /// The changes after a revision, for a device that waits.
    package struct Changes: Sendable {
        /// The conversations in which something has changed.
        package var conversations: [Conversation]
        /// Whether there are more changes than are listed; the device reads its lists again.
        package var isIncomplete: Bool
        package var revision: Int64
    }

    /// Limit of the conversations that a device is told one by one.
    package static let maximumChangeCount = 50

    /// The changes for a member after a revision.
    ///
    /// - Throws: `SQLError`
    package func changes(of member: UserID, after revision: Int64) async throws -> Changes {
        try await database.read { db in
            let rows = try ConversationRows.changes(
                of: member, after: revision, limit: Self.maximumChangeCount + 1, db)
            let isIncomplete = rows.count > Self.maximumChangeCount
            return Changes(
                conversations: isIncomplete ? [] : rows, isIncomplete: isIncomplete,
                revision: try MessagingMemberRows.revision(of: member, db))
        }
    }

    /// Begins to tell a device of a member when something changes.
    ///
    /// - Throws: `Refusal` with `tooMany` or `busy`.
    package func stream(of member: UserID) async throws -> RevisionStream {
        let revision = try await database.read { db in try MessagingMemberRows.revision(of: member, db) }
        return try streams.begin(member, at: revision)
    }

    /// Tells the devices of members for whom something has changed, whichever server has changed it.
    ///
    /// - Throws: `SQLError`
    package func refreshStreams() async throws {
        try await streams.refresh { [database] members in
            try await database.read { db in try MessagingMemberRows.revisions(of: members, db) }
        }
    }

    /// Tells all devices that nothing has happened, so that their connections stay, and notes that their members are
    /// online.
    ///
    /// - Throws: `SQLError`
    package func beat() async throws {
        streams.beat()
        for member in streams.groups { try await noteSeen(member) }
    }

    /// Ends all streams, when the server stops.
    package func closeStreams() { streams.close() }
}
