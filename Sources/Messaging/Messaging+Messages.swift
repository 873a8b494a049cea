package import Accounts
import Database
package import MediaCore

extension Messaging {
    /// Sends a message. It is stored when this returns, and the same message is stored once, however often it is sent.
    ///
    /// - Parameters:
    ///   - new: the message.
    ///   - id: the ID of the conversation.
    ///   - caller: the sender.
    /// - Returns: the message, and whether it is new.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `emptyField`, `invalidField`, `tooManyAttempts`, `forbidden`
    ///   if the other one blocks the sender, or `conflict` for an ID of another message, somebody whom the sender
    ///   blocks, and a stranger who has not accepted the first messages.
    package func send(
        _ new: NewMessage, to id: OpaqueID, by caller: Caller
    ) async throws -> (message: ConversationMessage, isNew: Bool) {
        let (member, now) = (try caller.requireMember().id, now)
        let new = try Self.checked(new)
        return try await database.write { [self] db in
            let conversation = try self.locked(id, of: member, db)
            let row = try Self.row(of: new, by: member, db)
            if let sent = try MessageRows.number(of: new.clientID, by: member, in: conversation.number, db) {
                return (try Self.repeated(sent, row, by: member, db), false)
            }
            try Self.requireRate(member, at: now, db)
            try self.requireMaySend(member, in: conversation, db)
            let stored = try MessageRows.insert(row, into: conversation.number, by: member, at: now, db)
            _ = try ConversationMemberRows.mark(
                delivered: stored.sequence, read: stored.sequence, of: member, in: conversation.number, db)
            try self.touch(conversation.number, isActivity: true, db)
            guard let message = try MessageRows.message(stored.number, for: member, db) else {
                throw SQLError(.unexpectedValue, "a message that was stored cannot be read")
            }
            return (message, true)
        }
    }

    private static func checked(_ new: NewMessage) throws(Refusal) -> NewMessage {
        var new = new
        guard !new.clientID.isEmpty, new.clientID.utf8.count <= MessagingLimits.clientIDLength,
            new.clientID.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != 0x2F })
        else {
            throw Refusal(
                .invalidField,
                "the field `id` must be 1 to \(MessagingLimits.clientIDLength) printable ASCII characters without /",
                field: "id")
        }
        switch new.content {
        case .text(let text):
            let text = try MessagingText.lines(
                text, "text", maximumLength: MessagingLimits.messageLength,
                byteCount: MessagingLimits.messageByteCount)
            guard !text.isEmpty else {
                throw Refusal(.emptyField, "the field `text` must not be empty", field: "text")
            }
            new.content = .text(text)
        case .place(let latitude, let longitude, let name):
            guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else {
                throw Refusal(
                    .invalidField, "a place has a latitude of -90 to 90 and a longitude of -180 to 180 degrees",
                    field: "place")
            }
            let checked = UntrustedText.strippedName(
                name, maximumCharacterCount: MessagingLimits.groupNameLength)
            new.content = .place(latitude: latitude, longitude: longitude, name: checked)
        case .contact: break
        }
        return new
    }

    private static func row(
        of new: NewMessage, by member: UserID, _ db: any SQLConnection
    ) throws -> MessageRows.NewRow {
        var row = MessageRows.NewRow(clientID: new.clientID, kind: .text)
        switch new.content {
        case .text(let text): row.text = text
        case .place(let latitude, let longitude, let name):
            (row.kind, row.text, row.latitude, row.longitude) = (.place, name, latitude, longitude)
        case .contact(let name):
            let other = try Self.member(named: name, db)
            guard try ContactRows.areContacts(member, other, db) else {
                throw Refusal(.notFound, "you have no such contact")
            }
            (row.kind, row.subject) = (.contact, other)
        }
        return row
    }

    /// The message that was sent before with the same ID.
    private static func repeated(
        _ number: Int64, _ row: MessageRows.NewRow, by member: UserID, _ db: any SQLConnection
    ) throws -> ConversationMessage {
        guard let sent = try MessageRows.message(number, for: member, db) else {
            throw Refusal(.conflict, "you have deleted this message")
        }
        guard sent.isDeleted || sent.kind == row.kind && sent.text == row.text && sent.subject?.id == row.subject else {
            throw Refusal(.conflict, "another message of yours has this ID")
        }
        return sent
    }

    static func requireRate(_ member: UserID, at now: WallClockTime, _ db: any SQLConnection) throws {
        let window = MessagingLimits.messageWindow
        guard try MessageRows.count(by: member, in: window, until: now, db) < MessagingLimits.messageCount else {
            throw Refusal(
                .tooManyAttempts,
                "you have sent \(MessagingLimits.messageCount) messages in a minute; wait a moment",
                retryAfter: window)
        }
    }

    private func requireMaySend(_ member: UserID, in conversation: Conversation, _ db: any SQLConnection) throws {
        guard conversation.kind == .pair else { return }
        guard let other = try ConversationMemberRows.state(ofOthersThan: member, in: conversation.number, db).first
        else { throw Refusal(.conflict, "the other member's account was deleted") }
        try Self.requireOpen(member, other.user, db)
        // A member who answers a request accepts it.
        if conversation.state != .active {
            try ConversationMemberRows.setState(.active, of: member, in: conversation.number, db)
        }
        guard other.state != .active else { return }
        // A stranger is not told whether the other one has refused them.
        let count = try MessageRows.count(by: member, in: conversation.number, db)
        guard count < MessagingLimits.requestMessageCount else {
            throw Refusal(
                .conflict,
                "wait until the other member answers; you can send \(MessagingLimits.requestMessageCount) messages before"
            )
        }
    }

    // MARK: Reading

    /// A page of the messages of a conversation, the last ones first.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded` or `invalidCursor`.
    package func messages(
        in id: OpaqueID, for caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ConversationMessage> {
        let (member, size) = (try caller.requireMember().id, ListPage<ConversationMessage>.size(limit))
        let start = try ListCursor.start(cursor)
        return try await database.read { db in
            let conversation = try Self.required(id, of: member, db)
            let rows = try MessageRows.page(conversation.number, of: member, before: start, limit: size + 1, db)
            return ListPage(rows, size: size) { ListCursor(number: $0.sequence).text }
        }
    }

    /// The messages of a conversation that are new or have changed after a change, in the order of the changes, and
    /// the conversation as it is then. A device that has lost its connection asks with the last change that it knows,
    /// until it has the conversation's.
    ///
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func changes(
        in id: OpaqueID, after change: Int64, for caller: Caller, limit: Int? = nil
    ) async throws -> (messages: [ConversationMessage], conversation: Conversation, isComplete: Bool) {
        let (member, size) = (try caller.requireMember().id, ListPage<ConversationMessage>.size(limit ?? 100))
        return try await database.read { db in
            let conversation = try Self.required(id, of: member, db)
            let rows = try MessageRows.changes(
                conversation.number, of: member, after: change, limit: size + 1, db)
            return (Array(rows.prefix(size)), conversation, rows.count <= size)
        }
    }

    /// A page of the caller's messages that contain words, the last ones first.
    ///
    /// - Parameters:
    ///   - text: the beginnings of words; a text without words finds nothing.
    ///   - id: the ID of the only conversation that is searched; `nil` for all.
    ///   - caller: the reader.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded` or `invalidCursor`.
    package func search(
        _ text: String, in id: OpaqueID? = nil, for caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ConversationMessage> {
        let (member, size) = (try caller.requireMember().id, ListPage<ConversationMessage>.size(limit))
        let start = try ListCursor.start(cursor)
        guard let words = MessageWords.query(String(text.prefix(200))) else { return ListPage(items: [], next: nil) }
        return try await database.read { db in
            let conversation = try id.map { try Self.required($0, of: member, db).number }
            let rows = try MessageRows.search(
                words, in: conversation, for: member, before: start, limit: size + 1, db)
            return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
        }
    }

    // MARK: Deleting

    /// Deletes a message: for the caller alone, or, as its sender, for everybody.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, or `forbidden` for another one's message.
    package func delete(
        _ sequence: Int64, of id: OpaqueID, forEverybody: Bool, by caller: Caller
    ) async throws {
        let (member, now) = (try caller.requireMember().id, now)
        try await database.write { [self] db in
            let conversation = try self.locked(id, of: member, db)
            guard let message = try MessageRows.message(sequence, of: conversation.number, for: member, db) else {
                throw Refusal(.notFound, "there is no such message")
            }
            guard forEverybody else {
                try MessageRows.hide(message.number, from: member, db)
                return try self.touch(conversation.number, only: member, db)
            }
            guard message.sender?.id == member, [.text, .place, .contact].contains(message.kind) else {
                throw Refusal(.forbidden, "only its sender can delete a message for everybody")
            }
            guard !message.isDeleted else { return }
            try MessageRows.delete(message, of: conversation.number, at: now, db)
            try self.touch(conversation.number, db)
        }
    }
}
