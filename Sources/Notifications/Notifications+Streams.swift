package import Accounts
import Database
package import MediaCore

extension Notifications {
    /// The changes after a revision, for a device that waits.
    package struct Changes: Sendable {
        package var notifications: [MemberNotification]
        /// Whether there are more changes than are listed; the device reads the list again.
        package var isIncomplete: Bool
        package var unread: Int
        package var revision: Int64
    }

    /// The changes for a member after a revision.
    package func changes(of user: UserID, after revision: Int64) async throws -> Changes {
        try await database.read { db in
            let rows = try NotificationRows.changes(
                of: user, after: revision, limit: Self.maximumChangeCount + 1, db)
            let isIncomplete = rows.count > Self.maximumChangeCount
            return Changes(
                notifications: isIncomplete ? [] : try Self.filled(rows, reader: user, db),
                isIncomplete: isIncomplete,
                unread: try NotificationRows.unreadCount(of: user, limit: Self.maximumUnreadCount, db),
                revision: try NotificationRows.revision(of: user, db))
        }
    }

    /// Begins to tell a device of a member when something changes.
    ///
    /// - Throws: `Refusal` with `tooMany` or `busy`.
    package func stream(of user: UserID) async throws -> RevisionStream {
        let revision = try await database.read { db in try NotificationRows.revision(of: user, db) }
        return try streams.begin(user, at: revision)
    }

    package var streamCount: Int { streams.count }

    /// Tells the devices of members whose notifications have changed, whichever server has changed them.
    ///
    /// - Throws: `SQLError`
    package func refreshStreams() async throws {
        try await streams.refresh { [database] users in
            try await database.read { db in try NotificationRows.revisions(of: users, db) }
        }
    }

    /// Tells all devices that nothing has happened, so that their connections stay.
    package func beat() { streams.beat() }

    /// Ends all streams, when the server stops.
    package func closeStreams() { streams.close() }
}
