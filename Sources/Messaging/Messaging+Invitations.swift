package import Accounts
import Community
import Database
package import MediaCore

extension Messaging {
    /// Invites a member to become contacts. If they have invited the caller, that invitation is accepted instead.
    ///
    /// - Parameters:
    ///   - name: the username.
    ///   - text: what the invitation says; may be empty.
    ///   - caller: the member who invites.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `invalidField`, `tooManyAttempts`, `tooMany`, `forbidden` if
    ///   they block the caller, or `conflict` for oneself, a contact, and somebody who was invited already.
    package func invite(_ name: String, _ text: String, by caller: Caller) async throws -> ContactInvitation {
        let (sender, now, id) = (try caller.requireMember().id, now, OpaqueID())
        let text = try MessagingText.lines(
            text, "text", maximumLength: MessagingLimits.invitationLength,
            byteCount: MessagingLimits.invitationLength * 8)
        return try await database.write { [self] db in
            let receiver = try Self.member(named: name, db)
            guard receiver != sender else { throw Refusal(.conflict, "you cannot invite yourself") }
            try AccountReferences.lock(sender, db)
            try Self.requireOpen(sender, receiver, db)
            guard try !ContactRows.areContacts(sender, receiver, db) else {
                throw Refusal(.conflict, "this member is already a contact of yours")
            }
            if let theirs = try InvitationRows.open(from: receiver, to: sender, db) {
                return try self.answer(theirs, .accepted, by: sender, at: now, db)
            }
            guard try InvitationRows.open(from: sender, to: receiver, db) == nil else {
                throw Refusal(.conflict, "you have already invited this member")
            }
            try Self.requireMayInvite(sender, receiver, at: now, db)
            try InvitationRows.insert(text, id: id, from: sender, to: receiver, at: now, db)
            try self.tell(.invited(id, receiver: receiver, by: sender), at: now, db)
            try self.touch([receiver], db)
            return try Self.requiredInvitation(id, of: sender, db)
        }
    }

    private static func requireMayInvite(
        _ sender: UserID, _ receiver: UserID, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        let window = MessagingLimits.invitationWindow
        guard try InvitationRows.count(by: sender, in: window, until: now, db) < MessagingLimits.invitationCount else {
            throw Refusal(
                .tooManyAttempts,
                "you have sent \(MessagingLimits.invitationCount) invitations in a day; try again tomorrow",
                retryAfter: window)
        }
        let earliest = now - MessagingLimits.refusalTime
        guard try !InvitationRows.isRefused(from: sender, to: receiver, after: earliest, db) else {
            throw Refusal(.conflict, "this member has refused your invitation; you can invite them again in 30 days")
        }
        try requireContactRoom(sender, db)
    }

    private static func requireContactRoom(_ user: UserID, _ db: any SQLConnection) throws {
        guard try ContactRows.count(of: user, db) < MessagingLimits.contactCount else {
            throw Refusal(.tooMany, "a member has at most \(MessagingLimits.contactCount) contacts")
        }
    }

    /// - Throws: `Refusal` with `forbidden` for somebody whom the other one blocks, and `conflict` for somebody who
    ///   blocks the other one.
    static func requireOpen(_ user: UserID, _ other: UserID, _ db: any SQLConnection) throws {
        func blocks(_ first: UserID, _ second: UserID) throws -> Bool {
            try db.exists(
                "SELECT 1 WHERE \(MemberRelations.blocks("?1", member: "?2"))", .text(first.text), .text(second.text))
        }
        if try blocks(other, user) { throw Refusal(.forbidden, "this member does not accept this from you") }
        if try blocks(user, other) {
            throw Refusal(.conflict, "you have blocked this member; unblock them first")
        }
    }

    private static func requiredInvitation(
        _ id: OpaqueID, of member: UserID, _ db: any SQLConnection
    ) throws -> ContactInvitation {
        guard let invitation = try InvitationRows.invitation(id, of: member, db) else {
            throw Refusal(.notFound, "there is no such invitation")
        }
        return invitation
    }

    /// An invitation that the caller has sent or received.
    ///
    /// - Throws: `Refusal` with `notFound`, also for everybody else, or `loginNeeded`.
    package func invitation(_ id: OpaqueID, for caller: Caller) async throws -> ContactInvitation {
        let member = try caller.requireMember().id
        return try await database.read { db in try Self.requiredInvitation(id, of: member, db) }
    }

    /// A page of the open invitations that the caller has received, the last ones first.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `invalidCursor`.
    package func invitations(
        for caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ContactInvitation> {
        let (member, size) = (try caller.requireMember().id, ListPage<ContactInvitation>.size(limit))
        let start = try ListCursor.start(cursor)
        return try await database.read { db in
            let rows = try InvitationRows.received(by: member, before: start, limit: size + 1, db)
            return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
        }
    }

    /// Accepts or refuses an invitation. Both members are told.
    ///
    /// - Returns: the invitation after it.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `tooMany`, or `conflict` if it was answered before.
    package func answer(_ id: OpaqueID, accepts: Bool, by caller: Caller) async throws -> ContactInvitation {
        let (member, now) = (try caller.requireMember().id, now)
        return try await database.write { [self] db in
            try self.answer(id, accepts ? .accepted : .refused, by: member, at: now, db)
        }
    }

    private func answer(
        _ id: OpaqueID, _ state: ContactInvitation.State, by member: UserID, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws -> ContactInvitation {
        let invitation = try Self.requiredInvitation(id, of: member, db)
        guard invitation.receiver.id == member else { throw Refusal(.notFound, "there is no such invitation") }
        let sender = invitation.sender.id
        guard try InvitationRows.answer(id, state, at: now, db) else {
            throw Refusal(.conflict, "this invitation was answered already")
        }
        if state == .accepted {
            try Self.requireOpen(member, sender, db)
            for user in [member, sender] { try Self.requireContactRoom(user, db) }
            try ContactRows.set(member, sender, at: now, db)
            try accept(conversationOf: member, sender, db)
            try tell(.connected(id, sender, member), at: now, db)
        } else {
            try tell(.refused(id, sender: sender, by: member), at: now, db)
        }
        try touch([member, sender], db)
        return try Self.requiredInvitation(id, of: member, db)
    }

    /// The conversation of two contacts waits for nobody.
    private func accept(conversationOf first: UserID, _ second: UserID, _ db: any SQLConnection) throws {
        guard let number = try ConversationRows.pair(ConversationRows.pairKey(first, second), db) else { return }
        for user in [first, second] { try ConversationMemberRows.setState(.active, of: user, in: number, db) }
        try touch(number, db)
    }

    /// Takes an invitation back that nobody has answered.
    ///
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func withdraw(_ id: OpaqueID, by caller: Caller) async throws {
        let member = try caller.requireMember().id
        try await database.write { [self] db in
            guard let invitation = try InvitationRows.invitation(id, of: member, db),
                try InvitationRows.withdraw(id, by: member, db)
            else { throw Refusal(.notFound, "there is no such invitation") }
            try self.touch([invitation.receiver.id], db)
        }
    }
}
