package import Accounts
import Database
import MediaCore

extension Messaging {
    /// Makes a group, of which the caller is the admin.
    ///
    /// - Parameters:
    ///   - name: the name of the group.
    ///   - names: usernames of contacts of the caller.
    ///   - caller: the member who makes it.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `emptyField`, `invalidField`, `tooMany`, or `forbidden` for
    ///   somebody who is not a contact.
    package func makeGroup(_ name: String, members names: [String], by caller: Caller) async throws -> Conversation {
        let (member, now, id) = (try caller.requireMember().id, now, OpaqueID())
        let name = try MessagingText.name(name, "name", maximumLength: MessagingLimits.groupNameLength)
        guard names.count < MessagingLimits.groupMemberCount else { throw Self.isFull }
        return try await database.write { [self] db in
            try Self.requireRoom(member, db)
            try Self.requireRate(member, at: now, db)
            let number = try ConversationRows.insert(.group, name: name, id: id, by: member, at: now, db)
            _ = try ConversationMemberRows.insert(member, into: number, role: .admin, at: now, db)
            for name in names {
                let other = try Self.contact(named: name, of: member, db)
                _ = try ConversationMemberRows.insert(other, into: number, at: now, db)
            }
            try self.note(.created, name, in: number, by: member, at: now, db)
            return try Self.required(id, of: member, db)
        }
    }

    private static let isFull = Refusal(
        .tooMany, "a group has at most \(MessagingLimits.groupMemberCount) members")

    /// Only contacts are added to groups, so that nobody is pulled into one by strangers.
    private static func contact(named name: String, of member: UserID, _ db: any SQLConnection) throws -> UserID {
        let other = try Self.member(named: name, db)
        guard try ContactRows.areContacts(member, other, db) else {
            throw Refusal(.forbidden, "\(Refusal.quoted(name)) is not a contact of yours; invite them first")
        }
        return other
    }

    /// Writes down what has happened in a group, as a message of the one who did it.
    private func note(
        _ kind: MessageKind, _ text: String = "", about subject: UserID? = nil, in conversation: Int64,
        by member: UserID, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        let row = MessageRows.NewRow(
            clientID: "\(kind.rawValue)/\(OpaqueID())", kind: kind, text: text, subject: subject)
        let sequence = try MessageRows.insert(row, into: conversation, by: member, at: now, db).sequence
        _ = try ConversationMemberRows.mark(
            delivered: sequence, read: sequence, of: member, in: conversation, db)
        try touch(conversation, isActivity: true, db)
    }

    /// A group, locked, of which a member is an admin.
    ///
    /// - Throws: `Refusal` with `notFound`, `forbidden`, or `conflict` for a conversation of two.
    private func administered(_ id: OpaqueID, by member: UserID, _ db: any SQLConnection) throws -> Conversation {
        let group = try locked(id, of: member, db)
        guard group.kind == .group else { throw Refusal(.conflict, "this is a conversation of two, not a group") }
        guard group.role == .admin else {
            throw Refusal(.forbidden, "only an admin of the group can do this")
        }
        return group
    }

    /// Gives a group another name.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `forbidden`, `conflict`, `emptyField` or `invalidField`.
    package func rename(_ id: OpaqueID, _ name: String, by caller: Caller) async throws -> Conversation {
        let (member, now) = (try caller.requireMember().id, now)
        let name = try MessagingText.name(name, "name", maximumLength: MessagingLimits.groupNameLength)
        return try await database.write { [self] db in
            let group = try self.administered(id, by: member, db)
            guard group.name != name else { return group }
            try Self.requireRate(member, at: now, db)
            try ConversationRows.setName(name, group.number, db)
            try self.note(.renamed, name, in: group.number, by: member, at: now, db)
            return try Self.required(id, of: member, db)
        }
    }

    /// Adds a contact of the caller to a group. They read what is written from now on.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `forbidden`, `conflict` or `tooMany`.
    package func add(_ name: String, to id: OpaqueID, by caller: Caller) async throws {
        let (member, now) = (try caller.requireMember().id, now)
        try await database.write { [self] db in
            let group = try self.administered(id, by: member, db)
            let other = try Self.contact(named: name, of: member, db)
            guard group.memberCount < MessagingLimits.groupMemberCount else { throw Self.isFull }
            try Self.requireRate(member, at: now, db)
            guard try ConversationMemberRows.insert(other, into: group.number, at: now, db) else { return }
            try self.note(.added, about: other, in: group.number, by: member, at: now, db)
        }
    }

    /// Makes a member of a group an admin of it, or ends it.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `forbidden`, or `conflict` for the last admin.
    package func setRole(
        _ role: ConversationRole, of name: String, in id: OpaqueID, by caller: Caller
    ) async throws {
        let member = try caller.requireMember().id
        try await database.write { [self] db in
            let group = try self.administered(id, by: member, db)
            guard let other = try AccountReferences.active(named: name, db),
                try ConversationMemberRows.role(of: other, in: group.number, db) != nil
            else { throw Refusal(.notFound, "the group has no such member") }
            try ConversationMemberRows.setRole(role, of: other, in: group.number, db)
            guard try ConversationMemberRows.hasAdmin(group.number, db) else {
                throw Refusal(.conflict, "a group needs an admin; name another one first")
            }
            try self.touch(group.number, db)
        }
    }

    /// Takes a member out of a group, or lets the caller leave it. From then on they can read nothing of it. A group
    /// whose last admin leaves gets another one, and one that everybody has left is deleted.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `forbidden`, or `conflict` for a conversation of two.
    package func remove(_ name: String, from id: OpaqueID, by caller: Caller) async throws {
        let (member, now) = (try caller.requireMember(), now)
        try await database.write { [self] db in
            let isLeaving = CaselessKey(name) == CaselessKey(member.username)
            let group = try isLeaving ? self.locked(id, of: member.id, db) : self.administered(id, by: member.id, db)
            guard group.kind == .group else {
                throw Refusal(.conflict, "this is a conversation of two, not a group; delete it instead")
            }
            let other = isLeaving ? member.id : try AccountReferences.active(named: name, db)
            guard let other, try ConversationMemberRows.role(of: other, in: group.number, db) != nil else {
                throw Refusal(.notFound, "the group has no such member")
            }
            try self.note(
                isLeaving ? .left : .removed, about: isLeaving ? nil : other, in: group.number, by: member.id,
                at: now, db)
            _ = try ConversationMemberRows.delete(other, from: group.number, db)
            // Everybody else was told with the message.
            try self.touch([other], db)
            if try ConversationMemberRows.users(of: group.number, db).isEmpty {
                try ConversationRows.delete(group.number, db)
            } else {
                try ConversationMemberRows.promote(in: group.number, db)
            }
        }
    }

    /// Deletes a group with all messages, for everybody.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `forbidden`, or `conflict` for a conversation of two.
    package func deleteGroup(_ id: OpaqueID, by caller: Caller) async throws {
        let member = try caller.requireMember().id
        try await database.write { [self] db in
            let group = try self.administered(id, by: member, db)
            try self.touch(group.number, db)
            try ConversationRows.delete(group.number, db)
        }
    }
}
