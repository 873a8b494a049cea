package import Accounts
package import Database
package import MediaCore
import Synchronization

/// The messages of people who need help, for the operators. Anybody may write one, so that everything is bounded: the
/// lengths, the messages of one address, and the inbox.
///
/// Calls throw `Refusal` with a sentence for the person who asked, and `SQLError` if the database does not
/// answer.
package final class SupportInbox: Sendable {
    private let database: any SQLDatabase
    private let wallClock: WallClock
    private let forward: (@Sendable (SupportMessage) -> Void)?
    private let observer = Mutex<Observer?>(nil)

    private init(
        _ database: any SQLDatabase, _ wallClock: WallClock, _ forward: (@Sendable (SupportMessage) -> Void)?
    ) {
        (self.database, self.wallClock, self.forward) = (database, wallClock, forward)
    }

    /// - Parameters:
    ///   - database: the database of the accounts, which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the times of messages.
    ///   - forward: sends a message on, such as by mail, without waiting; `nil` if it stays in the inbox only.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, wallClock: WallClock = .system,
        forward: (@Sendable (SupportMessage) -> Void)? = nil
    ) async throws -> SupportInbox {
        try await SQLMigrator(SupportSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return SupportInbox(database, wallClock, forward)
    }

    /// Is told of each message in the transaction that stores it. An error undoes the transaction.
    package typealias Observer = @Sendable (_ message: SupportMessage, _ db: any SQLConnection) throws -> Void

    /// Sets who is told of messages, such as to notify the operators.
    package func observeMessages(_ observer: @escaping Observer) { self.observer.withLock { $0 = observer } }

    /// Takes a message.
    ///
    /// - Parameters:
    ///   - sender: how the sender can be reached.
    ///   - subject: a line.
    ///   - text: what the message says.
    ///   - caller: who sends it; may be a stranger.
    /// - Throws: `Refusal` with `missingFields`, `invalidField`, `tooManyAttempts`, or `busy` for a full inbox.
    package func send(
        sender: String, subject: String, text: String, by caller: Caller
    ) async throws -> SupportMessage {
        let missing = [("sender", sender), ("subject", subject), ("text", text)].filter {
            $0.1.allSatisfy(\.isWhitespace)
        }
        guard missing.isEmpty else {
            throw Refusal.missing(missing.map(\.0))
        }
        let message = SupportMessage(
            number: 0, id: OpaqueID(),
            sender: try Self.line(sender, "sender", SupportMessage.maximumSenderLength),
            subject: try Self.line(subject, "subject", SupportMessage.maximumSubjectLength),
            text: UntrustedText.strippedLines(
                text, maximumCharacterCount: SupportMessage.maximumTextLength + 1), user: caller.principal.member?.id,
            address: caller.origin.address,
            sentAt: wallClock.now())
        guard message.text.count <= SupportMessage.maximumTextLength else {
            throw Self.tooLong("text", SupportMessage.maximumTextLength)
        }
        let group = caller.origin.group.description
        let observer = observer.withLock { $0 }
        try await database.write { db in
            try Self.insert(message, group: group, db)
            try observer?(message, db)
        }
        forward?(message)
        return message
    }

    private static func insert(_ message: SupportMessage, group: String, _ db: any SQLConnection) throws {
        // One after the other, so that the limits hold whatever comes at the same time.
        try db.execute(
            """
            INSERT INTO supportCounter(name, value) VALUES ('messages', 1)
            ON CONFLICT (name) DO UPDATE SET value = supportCounter.value + 1
            """)
        let recent: Int64 =
            try db.firstValue(
                // What a clock that was wrong has dated later does not count.
                "SELECT COUNT(*) FROM supportMessage WHERE addressGroup = ?1 AND sentAt > ?2 AND sentAt <= ?3",
                .text(group), .time(message.sentAt - SupportMessage.addressWindow), .time(message.sentAt)) ?? 0
        guard recent < SupportMessage.maximumCountPerAddress else {
            throw Refusal(
                .tooManyAttempts, "too many messages came from your address; try again in an hour",
                retryAfter: SupportMessage.addressWindow)
        }
        try makeRoom(for: group, db)
        try db.insert(
            [
                "id": .text(message.id.text), "sender": .text(message.sender), "subject": .text(message.subject),
                "text": .text(message.text), "userID": SQLValue(message.user?.text), "addressGroup": .text(group),
                "address": .text(message.address), "sentAt": .time(message.sentAt),
            ], into: SupportSchema.messages)
    }

    /// Makes room in a full inbox: the oldest message of the address with the most messages goes. Many addresses that
    /// send much cannot close the inbox to one that sends little.
    ///
    /// - Throws: `Refusal` with `busy` if no address has more messages than the sender's.
    private static func makeRoom(for group: String, _ db: any SQLConnection) throws {
        let count: Int64 = try db.firstValue("SELECT COUNT(*) FROM supportMessage") ?? 0
        guard count >= SupportMessage.maximumCount else { return }
        let own: Int64 =
            try db.firstValue("SELECT COUNT(*) FROM supportMessage WHERE addressGroup = ?1", .text(group)) ?? 0
        let isMade = try db.execute(
            """
            DELETE FROM supportMessage WHERE number = (
                SELECT MIN(number) FROM supportMessage WHERE addressGroup <> ?1 GROUP BY addressGroup
                HAVING COUNT(*) > ?2 ORDER BY COUNT(*) DESC, MIN(number) LIMIT 1)
            """, .text(group), .integer(own + 1))
        guard isMade > 0 else { throw Refusal(.busy, "the inbox is full; try again later") }
    }

    /// Takes the sender's name and address from the messages of a member, before the account is deleted in the same
    /// transaction. What the messages say stays, because operators may be about to answer it.
    package static func forget(_ user: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE supportMessage SET sender = '', address = '', addressGroup = id, userID = NULL WHERE userID = ?1
            """, .text(user.text))
    }

    private static func line(_ text: String, _ name: String, _ maximum: Int) throws(Refusal) -> String {
        let line = UntrustedText.stripped(text, maximumCharacterCount: maximum + 1)
        guard line.count <= maximum else { throw tooLong(name, maximum) }
        return line
    }

    private static func tooLong(_ name: String, _ maximum: Int) -> Refusal {
        Refusal(.invalidField, "the field `\(name)` is limited to \(maximum) characters", fields: [name])
    }

    // MARK: For operators

    private static let columns = SupportSchema.messages.columnList(without: "addressGroup")

    /// A page of the inbox, newest first; whether the caller may read it is for the caller of this to ask.
    ///
    /// - Parameters:
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func messages(
        after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<SupportMessage> {
        let size = ListPage<SupportMessage>.size(limit)
        let start = try cursor.map { try ListCursor.number(parsing: $0) } ?? .max
        let rows = try await database.read { db in
            try db.rows(
                "SELECT \(Self.columns) FROM supportMessage WHERE number < ?1 ORDER BY number DESC LIMIT ?2",
                [.integer(start), SQLValue(size + 1)]
            ) { try SupportMessage($0) }
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// - Throws: `Refusal` with `notFound`.
    package func message(_ id: OpaqueID) async throws -> SupportMessage {
        let found = try await database.read { db in
            try db.first("SELECT \(Self.columns) FROM supportMessage WHERE id = ?1", [.text(id.text)]) {
                try SupportMessage($0)
            }
        }
        guard let found else { throw Self.unknown }
        return found
    }

    /// - Throws: `Refusal` with `notFound`.
    package func remove(_ id: OpaqueID) async throws {
        let count = try await database.write { db in
            try db.execute("DELETE FROM supportMessage WHERE id = ?1", .text(id.text))
        }
        guard count > 0 else { throw Self.unknown }
    }

    private static let unknown = Refusal(.notFound, "there is no such message")
}

extension SupportMessage {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            number: try row.value("number"), id: try row.value("id"), sender: try row.value("sender"),
            subject: try row.value("subject"),
            text: try row.value("text"), user: try row.optional("userID"), address: try row.value("address"),
            sentAt: try row.time("sentAt"))
    }
}
