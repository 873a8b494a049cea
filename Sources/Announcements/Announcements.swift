package import Accounts
package import Database
package import MediaCore
import Synchronization

/// The announcements of a server. Whether a caller may write them is for the caller of this to ask.
///
/// Calls throw `Refusal` with a sentence for the person who asked, and `SQLError` if the database does not
/// answer.
package final class Announcements: Sendable {
    private let database: any SQLDatabase
    private let wallClock: WallClock
    /// All announcements, newest first, by which pages decide.
    private let copy = Mutex<[Announcement]>([])
    private let observer = Mutex<Observer?>(nil)

    /// Is told of each announcement that is written or changed, in the transaction that stores it.
    package typealias Observer = @Sendable (Announcement, any SQLConnection) throws -> Void

    private init(_ database: any SQLDatabase, _ wallClock: WallClock) {
        (self.database, self.wallClock) = (database, wallClock)
    }

    /// - Parameters:
    ///   - database: the database of the accounts, which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the time.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, wallClock: WallClock = .system
    ) async throws -> Announcements {
        try await SQLMigrator(AnnouncementSchema.schema, program: program, wallClock: wallClock).migrate(database)
        let announcements = Announcements(database, wallClock)
        try await announcements.refresh()
        return announcements
    }

    package var now: WallClockTime { wallClock.now() }

    /// Sets who is told of announcements, such as the journal of events.
    package func observe(_ observer: @escaping Observer) { self.observer.withLock { $0 = observer } }

    /// Reads what other servers with the same database have changed.
    package func refresh() async throws {
        let all = try await database.read { db in try Self.all(db) }
        copy.withLock { $0 = all }
    }

    // MARK: Reading

    /// The announcements that a visitor is shown at the moment, newest first.
    ///
    /// - Parameter isMember: whether the visitor has an account.
    package func shown(toMember isMember: Bool) -> [Announcement] {
        let now = now
        let all = copy.withLock { $0 }
        return Array(
            all.lazy.filter { $0.isShown(at: now) && ($0.audience == .everyone || isMember) }
                .prefix(Announcement.maximumShownCount))
    }

    /// All announcements, newest first; there are at most ``Announcement/maximumCount``.
    package func list() async throws -> [Announcement] { try await database.read { db in try Self.all(db) } }

    /// - Throws: `Refusal` with `notFound`.
    package func announcement(_ id: OpaqueID) async throws -> Announcement {
        try await database.read { db in try Self.find(id, db) }
    }

    /// The announcements that a member has written, newest first.
    package func announcements(by user: UserID) async throws -> [Announcement] {
        try await database.read { db in
            try db.rows(
                "SELECT \(Self.columns) FROM announcement WHERE author = ?1 ORDER BY number DESC", [.text(user.text)]
            ) { try Announcement($0) }
        }
    }

    // MARK: Changing

    /// Writes an announcement.
    ///
    /// - Parameters:
    ///   - contents: its text and, unless it is for everybody from now on, its audience, start and end.
    ///   - caller: who writes it.
    /// - Throws: `Refusal` with `missingFields`, `invalidField` or `tooMany`.
    package func create(_ contents: AnnouncementChange, by caller: Caller) async throws -> Announcement {
        let now = now
        var new = Announcement(
            number: 0, id: OpaqueID(), text: "", audience: .everyone, startsAt: now, endsAt: nil,
            author: caller.principal.member?.id, createdAt: now, revision: 1)
        try new.apply(contents)
        let (announcement, observer) = (new, observer.withLock { $0 })
        try await database.write { db in
            let count: Int64 = try db.firstValue("SELECT COUNT(*) FROM announcement") ?? 0
            guard count < Announcement.maximumCount else {
                throw Refusal(
                    .tooMany,
                    "the limit of \(Announcement.maximumCount) announcements is reached; delete expired ones")
            }
            try db.insert(announcement.values, into: AnnouncementSchema.announcements)
            try observer?(announcement, db)
        }
        try await refresh()
        return announcement
    }

    /// Changes an announcement. Who has dismissed it is shown it again.
    ///
    /// - Parameters:
    ///   - id: its ID.
    ///   - revisions: the revisions that the change is meant for; `nil` for any.
    ///   - change: what is changed.
    /// - Throws: `Refusal` with `notFound`, `missingFields`, `invalidField` or `changedMeanwhile`.
    package func change(
        _ id: OpaqueID, from revisions: Set<Int64>?, _ change: AnnouncementChange
    ) async throws -> Announcement {
        let observer = observer.withLock { $0 }
        let changed = try await database.write { db in
            var announcement = try Self.find(id, db, locks: true)
            guard revisions?.contains(announcement.revision) ?? true else {
                throw Refusal.changedMeanwhile("it")
            }
            try announcement.apply(change)
            announcement.revision += 1
            try db.execute(
                """
                UPDATE announcement SET text = ?2, audience = ?3, startsAt = ?4, endsAt = ?5, revision = ?6
                WHERE id = ?1
                """, .text(id.text), .text(announcement.text), .text(announcement.audience.rawValue),
                .time(announcement.startsAt), .time(announcement.endsAt), .integer(announcement.revision))
            try observer?(announcement, db)
            return announcement
        }
        try await refresh()
        return changed
    }

    /// - Throws: `Refusal` with `notFound`.
    package func remove(_ id: OpaqueID) async throws {
        let count = try await database.write { db in
            try db.execute("DELETE FROM announcement WHERE id = ?1", .text(id.text))
        }
        guard count > 0 else { throw Self.unknown }
        try await refresh()
    }

    // MARK: Rows

    private static let columns = AnnouncementSchema.announcements.columnList
    private static let unknown = Refusal(.notFound, "there is no such announcement")

    private static func all(_ db: any SQLConnection) throws -> [Announcement] {
        try db.rows(
            "SELECT \(columns) FROM announcement ORDER BY number DESC LIMIT ?1", [SQLValue(Announcement.maximumCount)]
        ) { try Announcement($0) }
    }

    private static func find(
        _ id: OpaqueID, _ db: any SQLConnection, locks: Bool = false
    ) throws -> Announcement {
        let lock = locks ? db.dialect.rowLock : ""
        let found = try db.first("SELECT \(columns) FROM announcement WHERE id = ?1\(lock)", [.text(id.text)]) {
            try Announcement($0)
        }
        guard let found else { throw unknown }
        return found
    }
}

extension Announcement {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            number: try row.value("number"), id: try row.value("id"), text: try row.value("text"),
            audience: Audience(rawValue: try row.value("audience")) ?? .members, startsAt: try row.time("startsAt"),
            endsAt: try row.optionalTime("endsAt"), author: try row.optional("author"),
            createdAt: try row.time("createdAt"), revision: try row.value("revision"))
    }

    /// The values of a new row, which the engine numbers.
    fileprivate var values: KeyValuePairs<String, SQLValue> {
        [
            "id": .text(id.text), "text": .text(text), "audience": .text(audience.rawValue),
            "startsAt": .time(startsAt), "endsAt": .time(endsAt), "author": SQLValue(author?.text),
            "createdAt": .time(createdAt), "revision": .integer(revision),
        ]
    }

    /// - Throws: `Refusal` with `missingFields` or `invalidField`.
    fileprivate mutating func apply(_ change: AnnouncementChange) throws(Refusal) {
        if let text = change.text {
            self.text = UntrustedText.strippedLines(text, maximumCharacterCount: Self.maximumTextLength + 1)
        }
        if let audience = change.audience { self.audience = audience }
        if let startsAt = change.startsAt { self.startsAt = startsAt }
        if let endsAt = change.endsAt { self.endsAt = endsAt }
        guard !text.allSatisfy(\.isWhitespace) else {
            throw Refusal.missing(["text"])
        }
        guard text.count <= Self.maximumTextLength else {
            throw Refusal(
                .invalidField, "the field `text` is limited to \(Self.maximumTextLength) characters",
                fields: ["text"])
        }
        guard endsAt.map({ $0 > startsAt }) ?? true else {
            throw Refusal(.invalidField, "the field `until` must be later than `from`", fields: ["until"])
        }
    }
}
