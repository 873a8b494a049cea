package import Accounts
import Database
package import MediaCore

extension Messaging {
    /// A page of the caller's conversations.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `invalidCursor`.
    package func conversations(
        _ list: ConversationList, of caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<Conversation> {
        let (member, size) = (try caller.requireMember().id, ListPage<Conversation>.size(limit))
        let start = try ListCursor.start(cursor)
        return try await database.read { db in
            let rows = try ConversationRows.page(list, of: member, before: start, limit: size + 1, db)
            return ListPage(rows, size: size) {
                ListCursor(number: list == .all ? $0.number : $0.activity).text
            }
        }
    }

    /// Numbers for badges, each counted up to ``MessagingLimits/unreadCount``.
    package struct Badges: Sendable, Hashable {
        /// Conversations with unread messages.
        package var unread: Int64
        /// First messages of strangers.
        package var requests: Int64
        /// Invitations that wait for an answer.
        package var invitations: Int64

        package var sum: Int64 { unread + requests + invitations }
    }

    /// The numbers for the badges of a member.
    ///
    /// - Throws: `SQLError`
    package func badges(of member: UserID) async throws -> Badges {
        try await database.read { db in
            let limit = MessagingLimits.unreadCount
            return Badges(
                unread: try ConversationRows.unreadCount(of: member, .active, limit: limit, db),
                requests: try ConversationRows.unreadCount(of: member, .request, limit: limit, db),
                invitations: try InvitationRows.openCount(to: member, db))
        }
    }

    /// A conversation of the caller.
    ///
    /// - Throws: `Refusal` with `notFound`, or `loginNeeded`.
    package func conversation(_ id: OpaqueID, for caller: Caller) async throws -> Conversation {
        let member = try caller.requireMember().id
        return try await database.read { db in try Self.required(id, of: member, db) }
    }

    /// The members of a conversation of the caller, in the order of their names.
    ///
    /// - Throws: `Refusal` with `notFound`, or `loginNeeded`.
    package func members(of id: OpaqueID, for caller: Caller) async throws -> [ConversationMember] {
        let member = try caller.requireMember().id
        return try await database.read { db in
            let conversation = try Self.required(id, of: member, db)
            return try ConversationMemberRows.members(of: conversation.number, for: member, db)
        }
    }

    /// Opens the conversation of the caller with another member, and makes it if there is none. The other one sees
    /// nothing of it before the first message.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `tooMany`, `forbidden` if they block the caller, or
    ///   `conflict` for oneself and somebody whom the caller blocks.
    package func open(with name: String, by caller: Caller) async throws -> Conversation {
        let (member, now, id) = (try caller.requireMember().id, now, OpaqueID())
        return try await database.write { db in
            let other = try Self.member(named: name, db)
            guard other != member else { throw Refusal(.conflict, "you cannot write to yourself") }
            let key = ConversationRows.pairKey(member, other)
            let number: Int64
            if let found = try ConversationRows.pair(key, db) {
                number = found
            } else {
                try Self.requireOpen(member, other, db)
                try Self.requireRoom(member, db)
                number = try ConversationRows.insert(.pair, pairKey: key, id: id, by: member, at: now, db)
                let areContacts = try ContactRows.areContacts(member, other, db)
                _ = try ConversationMemberRows.insert(member, into: number, at: now, db)
                _ = try ConversationMemberRows.insert(
                    other, into: number, state: areContacts ? .active : .request, at: now, db)
            }
            try ConversationMemberRows.list(number, of: member, db)
            guard let id = try ConversationRows.id(number, db) else {
                throw Refusal(.notFound, "there is no such conversation")
            }
            return try Self.required(id, of: member, db)
        }
    }

    static func requireRoom(_ member: UserID, _ db: any SQLConnection) throws {
        guard try ConversationRows.count(of: member, db) < MessagingLimits.conversationCount else {
            throw Refusal(.tooMany, "a member has at most \(MessagingLimits.conversationCount) conversations")
        }
    }

    /// Accepts or refuses what a stranger writes. The stranger is not told; an answer accepts it as well.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, or `conflict` if it does not wait.
    package func answerRequest(_ id: OpaqueID, accepts: Bool, by caller: Caller) async throws {
        let member = try caller.requireMember().id
        try await database.write { [self] db in
            let conversation = try self.locked(id, of: member, db)
            guard conversation.state == .request else {
                throw Refusal(.conflict, "the conversation does not wait for you to accept it")
            }
            try ConversationMemberRows.setState(accepts ? .active : .refused, of: member, in: conversation.number, db)
            if !accepts { try ConversationMemberRows.clear(conversation.number, of: member, db) }
            try self.touch(conversation.number, only: member, db)
        }
    }

    /// Mutes a conversation for the caller, or ends it: it does not count in badges.
    ///
    /// - Throws: `Refusal` with `notFound`, or `loginNeeded`.
    package func setMuted(_ isMuted: Bool, _ id: OpaqueID, by caller: Caller) async throws -> Conversation {
        let member = try caller.requireMember().id
        return try await database.write { [self] db in
            let conversation = try Self.required(id, of: member, db)
            try ConversationMemberRows.setMuted(isMuted, of: member, in: conversation.number, db)
            try self.touch(conversation.number, only: member, db)
            return try Self.required(id, of: member, db)
        }
    }

    /// Deletes all messages of a conversation for the caller alone, and takes it out of the list of recent ones.
    ///
    /// - Throws: `Refusal` with `notFound`, or `loginNeeded`.
    package func clear(_ id: OpaqueID, by caller: Caller) async throws {
        let member = try caller.requireMember().id
        try await database.write { [self] db in
            let conversation = try self.locked(id, of: member, db)
            try ConversationMemberRows.clear(conversation.number, of: member, db)
            try self.touch(conversation.number, only: member, db)
        }
    }

    /// Deletes all messages of all recent conversations, for the caller alone.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package func clearAll(by caller: Caller) async throws {
        let member = try caller.requireMember().id
        try await database.write { [self] db in
            try ConversationMemberRows.clear(nil, of: member, db)
            try self.touch([member], db)
        }
    }

    // MARK: Marks

    /// Notes up to where the caller has received and read a conversation. Marks never fall. What a stranger has
    /// written is marked for the caller alone.
    ///
    /// - Throws: `Refusal` with `notFound`, or `loginNeeded`.
    package func mark(delivered: Int64?, read: Int64?, _ id: OpaqueID, by caller: Caller) async throws -> Conversation {
        let member = try caller.requireMember().id
        return try await database.write(durability: .soon) { [self] db in
            let conversation = try Self.required(id, of: member, db)
            let read = min(read ?? 0, conversation.lastSequence)
            let delivered = max(min(delivered ?? 0, conversation.lastSequence), read)
            guard
                try ConversationMemberRows.mark(
                    delivered: delivered, read: read, of: member, in: conversation.number, db)
            else { return conversation }
            let isTold =
                try conversation.state == .active && conversation.memberCount <= MessagingLimits.markAudience
                && MessagingMemberRows.preferences(of: member, db).sendsMarks
            try self.touch(conversation.number, only: isTold ? nil : member, db)
            return try Self.required(id, of: member, db)
        }
    }
}
