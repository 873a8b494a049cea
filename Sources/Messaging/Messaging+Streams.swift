package import Accounts
import Database
import MediaCore
import Synchronization

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
    package func stream(of member: UserID) async throws -> MessagingStream {
        let revision = try await database.read { db in try MessagingMemberRows.revision(of: member, db) }
        let place = try streams.withLock { streams throws(Refusal) in try streams.add(member, revision: revision) }
        let number = place.number
        place.continuation.onTermination = { [weak self] reason in
            guard case .cancelled = reason else { return }
            self?.streams.withLock { _ = $0.remove(number, of: member) }
        }
        return MessagingStream(signals: place.messages, begunAt: revision) { [weak self] in
            self?.streams.withLock { $0.remove(number, of: member) }?.finish()
        }
    }

    /// Proxies close a silent connection after 30 s or more.
    package static let heartbeatInterval = Duration.seconds(15)
    private static let memberBatchSize = 500

    /// Tells the devices of members for whom something has changed, whichever server has changed it.
    ///
    /// - Throws: `SQLError`
    package func refreshStreams() async throws {
        let members = streams.withLock(\.members)
        for start in stride(from: 0, to: members.count, by: Self.memberBatchSize) {
            let batch = Array(members[start..<min(start + Self.memberBatchSize, members.count)])
            let revisions = try await database.read { db in try MessagingMemberRows.revisions(of: batch, db) }
            streams.withLock { $0.tell(revisions) }
        }
    }

    /// Tells all devices that nothing has happened, so that their connections stay, and notes that their members are
    /// online.
    ///
    /// - Throws: `SQLError`
    package func beat() async throws {
        for continuation in streams.withLock({ $0.beat() }) { continuation.finish() }
        for member in streams.withLock(\.members) { try await noteSeen(member) }
    }

    /// Ends all streams, when the server stops.
    package func closeStreams() { for continuation in streams.withLock({ $0.close() }) { continuation.finish() } }
}
