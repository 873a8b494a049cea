package import Accounts
import Database
import MediaCore
import Synchronization

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
    package func stream(of user: UserID) async throws -> NotificationStream {
        let revision = try await database.read { db in try NotificationRows.revision(of: user, db) }
        let place = try streams.withLock { streams throws(Refusal) in try streams.add(user, revision: revision) }
        let number = place.number
        place.continuation.onTermination = { [weak self] reason in
            guard case .cancelled = reason else { return }
            self?.streams.withLock { _ = $0.remove(number, of: user) }
        }
        return NotificationStream(signals: place.messages, begunAt: revision) { [weak self] in
            self?.streams.withLock { $0.remove(number, of: user) }?.finish()
        }
    }

    package var streamCount: Int { streams.withLock(\.count) }

    /// Proxies close a silent connection after 30 s or more.
    package static let heartbeatInterval = Duration.seconds(15)
    private static let memberBatchSize = 500

    /// Tells the devices of members whose notifications have changed, whichever server has changed them.
    ///
    /// - Throws: `SQLError`
    package func refreshStreams() async throws {
        let members = streams.withLock(\.members)
        for start in stride(from: 0, to: members.count, by: Self.memberBatchSize) {
            let batch = Array(members[start..<min(start + Self.memberBatchSize, members.count)])
            let revisions = try await database.read { db in try NotificationRows.revisions(of: batch, db) }
            streams.withLock { $0.tell(revisions) }
        }
    }

    /// Tells all devices that nothing has happened, so that their connections stay.
    package func beat() {
        for continuation in streams.withLock({ $0.beat() }) { continuation.finish() }
    }

    /// Ends all streams, when the server stops.
    package func closeStreams() { for continuation in streams.withLock({ $0.close() }) { continuation.finish() } }
}
