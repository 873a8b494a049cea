package import Accounts
package import Database
package import Events
import Foundation
package import MediaCore

extension Webhooks {
    /// A page of receivers, newest first: all for somebody who may administer the server, and otherwise the caller's
    /// own.
    ///
    /// - Parameters:
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    ///   - caller: who asks.
    /// - Throws: `Refusal` with `invalidCursor` or `forbidden`.
    package func receivers(
        after cursor: String? = nil, limit: Int? = nil, by caller: Caller
    ) async throws -> ListPage<WebhookReceiver> {
        let size = ListPage<WebhookReceiver>.size(limit)
        var owner: UserID?
        if !accounts.may(caller.principal, .administer, .system).isAllowed {
            owner = try await requireOwn(caller)
        }
        return try await database.read { [owner] db in
            try ReceiverRows.page(of: owner, after: cursor, size: size, db)
        }
    }

    /// The caller's own receivers, for a copy of all that the server knows about an account.
    ///
    /// - Throws: `Refusal` with `forbidden`.
    package func ownReceivers(of caller: Caller) async throws -> [WebhookReceiver] {
        let owner = try await requireOwn(caller)
        return try await database.read { db in
            try ReceiverRows.page(of: owner, after: nil, size: WebhookReceiver.maximumCountPerOwner, db).items
        }
    }

    /// The accounts with an enabled receiver that wants events of a type about its owner. Runs inside the transaction
    /// of its caller.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - kind: the kind of subject whose name is the ID of a member.
    ///   - db: the connection of the transaction.
    /// - Throws: `SQLError`
    package static func owners(
        wanting type: EventType, about kind: EventSubject.Kind, _ db: any SQLConnection
    ) throws -> Set<UserID> {
        var owners: Set<UserID> = []
        for receiver in try ReceiverRows.owned(db) {
            guard receiver.isEnabled, let owner = receiver.owner,
                receiver.filter.includes(type, EventSubject(kind, owner.text))
            else { continue }
            owners.insert(owner)
        }
        return owners
    }

    /// A receiver, and the number of messages that wait for it.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func receiver(
        _ id: OpaqueID, by caller: Caller
    ) async throws -> (receiver: WebhookReceiver, pendingCount: Int) {
        let (receiver, count) = try await database.read { db in
            (try ReceiverRows.receiver(id, db), try DeliveryRows.pendingCount(of: id, db))
        }
        return (try admitted(receiver, caller), count)
    }

    /// The usernames of accounts that have receivers, without those that were deleted.
    package func usernames(of owners: Set<UserID>) async throws -> [UserID: String] {
        guard !owners.isEmpty else { return [:] }
        return try await database.read { db in
            var names: [UserID: String] = [:]
            for owner in owners { names[owner] = try Accounts.usernames(of: [owner], db).first }
            return names
        }
    }

    /// Adds a receiver. It is sent what happens from now on. One that a token adds ends with the token.
    ///
    /// - Parameters:
    ///   - settings: its address, and which events it wants.
    ///   - owner: the account on whose behalf it gets events; `nil` for the caller's own.
    ///   - caller: the owner, or somebody who may manage the account. The server's own machine adds receivers of the
    ///     station, which are sent all events.
    /// - Returns: the receiver, and its secret, which nobody can ask for again.
    /// - Throws: `Refusal` with `invalidField`, `tooMany` or `forbidden`.
    package func create(
        _ settings: WebhookSettings, for owner: UserID? = nil, by caller: Caller
    ) async throws -> (receiver: WebhookReceiver, secret: WebhookSecret) {
        var owner = owner
        if let owner {
            try requireManaging(owner, caller)
        } else if caller.principal.member != nil {
            owner = try await requireOwn(caller)
        } else {
            try accounts.require(caller.principal, .administer, .system)
        }
        try requireChoosingAddresses(caller)
        let (now, id, secret) = (wallClock.now(), OpaqueID(), WebhookSecret())
        let checked = try check(settings)
        let receiver = WebhookReceiver(
            number: 0, id: id, url: checked.url, summary: checked.summary, filter: checked.filter, owner: owner,
            createdAt: now, lastEvent: journal.lastNumber, revision: 1)
        let sealed = try SealedWebhookSecret.seal(secret, of: id, with: key)
        try await database.write { db in
            try ReceiverRows.insert(receiver, secret: sealed, with: caller.principal.token, db)
            try Accounts.note(
                .webhookCreated, by: caller, about: receiver.owner, after: Self.auditText(receiver), at: now, db)
        }
        return (try await self.receiver(id, by: caller).receiver, secret)
    }

    /// Changes a receiver.
    ///
    /// - Parameters:
    ///   - id: the receiver.
    ///   - change: what is changed.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: the owner, or somebody who may administer the server.
    /// - Returns: the receiver after the change.
    /// - Throws: `Refusal` with `invalidField`, `notFound`, or `changedMeanwhile` if it has another revision.
    package func change(
        _ id: OpaqueID, _ change: WebhookChange, from revisions: Set<Int64>?, by caller: Caller
    ) async throws -> WebhookReceiver {
        let now = wallClock.now()
        return try await database.write { [self] db in
            let before = try admitted(try ReceiverRows.receiver(id, db), caller)
            guard revisions?.contains(before.revision) ?? true else {
                throw Refusal(.changedMeanwhile, "the webhook was changed meanwhile; read it again")
            }
            if change.url != nil { try requireChoosingAddresses(caller) }
            var settings = WebhookSettings(
                url: change.url ?? before.url, summary: change.summary ?? before.summary, filter: before.filter)
            if let types = change.types { settings.filter.types = types }
            if let subject = change.subject { settings.filter.subject = subject }
            let checked = try check(settings)
            var receiver = before
            (receiver.url, receiver.summary, receiver.filter) = (checked.url, checked.summary, checked.filter)
            switch change.isEnabled {
            case true? where !before.isEnabled:
                (receiver.disabledReason, receiver.failingSince, receiver.heldUntil) = (nil, nil, nil)
            case false? where before.isEnabled: receiver.disabledReason = .requested
            default: break
            }
            if receiver.url != before.url { receiver.heldUntil = nil }
            try ReceiverRows.update(receiver, db)
            if receiver.isEnabled, !before.isEnabled || receiver.url != before.url {
                try DeliveryRows.hasten(id, at: now, db)
            }
            try Accounts.note(
                .webhookChanged, by: caller, about: before.owner, before: Self.auditText(before),
                after: Self.auditText(receiver), at: now,
                db)
            return try admitted(try ReceiverRows.receiver(id, db), caller)
        }
    }

    /// Removes a receiver with its log. What waits for it is not sent.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func remove(_ id: OpaqueID, by caller: Caller) async throws {
        let now = wallClock.now()
        try await database.write { [self] db in
            let receiver = try admitted(try ReceiverRows.receiver(id, db), caller)
            try ReceiverRows.delete(id, db)
            try Accounts.note(
                .webhookRemoved, by: caller, about: receiver.owner, before: Self.auditText(receiver), at: now, db)
        }
    }

    /// Replaces the secret. Messages are signed with both for a time, so that the receiver can be changed meanwhile.
    ///
    /// - Parameters:
    ///   - id: the receiver.
    ///   - overlap: the time for which the secret before goes on to sign.
    ///   - caller: the owner, or somebody who may administer the server.
    /// - Throws: `Refusal` with `invalidField` or `notFound`.
    package func rotateSecret(
        of id: OpaqueID, keepingPreviousFor overlap: Duration = WebhookReceiver.defaultOverlap, by caller: Caller
    ) async throws -> (receiver: WebhookReceiver, secret: WebhookSecret) {
        guard overlap >= .zero, overlap <= WebhookReceiver.maximumOverlap else {
            throw Refusal(
                .invalidField,
                """
                the previous secret can be kept for at most \(Int64(WebhookReceiver.maximumOverlap.seconds)) seconds
                """, fields: ["keepPreviousFor"])
        }
        let (now, secret) = (wallClock.now(), WebhookSecret())
        let sealed = try SealedWebhookSecret.seal(secret, of: id, with: key)
        let receiver = try await database.write { [self] db in
            let receiver = try admitted(try ReceiverRows.receiver(id, db), caller)
            try ReceiverRows.rotate(id, to: sealed, previousUntil: now + overlap, db)
            try Accounts.note(
                .webhookSecretRotated, by: caller, about: receiver.owner, after: Self.auditText(receiver), at: now, db)
            return try ReceiverRows.receiver(id, db)
        }
        return (try admitted(receiver, caller), secret)
    }

    /// Removes the receivers of an account that is deleted. In the caller's transaction.
    package static func forget(_ user: UserID, _ db: any SQLConnection) throws {
        try ReceiverRows.deleteAll(of: user, db)
    }

    /// Turns the receivers of an account off, such as when somebody else may have added one; their owner turns them on
    /// again. In the caller's transaction.
    package static func turnOff(of user: UserID, _ db: any SQLConnection) throws {
        try ReceiverRows.disableAll(of: user, .requested, db)
    }

    // MARK: Rules

    /// A server that reaches its own network does so for those who may import files, and for nobody else.
    private func requireChoosingAddresses(_ caller: Caller) throws(Refusal) {
        if allowsPrivateAddresses { try accounts.require(caller.principal, .upload, .library) }
    }

    private func check(_ settings: WebhookSettings) throws(Refusal) -> WebhookSettings {
        var settings = settings
        settings.url = try WebhookURL.checked(settings.url, allowsPlainHTTP: allowsPrivateAddresses)
        guard settings.summary.unicodeScalars.count <= WebhookReceiver.maximumSummaryLength else {
            throw Refusal(
                .invalidField,
                "the field `description` is limited to \(WebhookReceiver.maximumSummaryLength) characters",
                fields: ["description"])
        }
        settings.summary = UntrustedText.stripped(settings.summary)
        guard settings.filter.types.count <= WebhookReceiver.maximumTypeCount,
            settings.filter.types.allSatisfy(kinds.isType)
        else {
            throw Refusal(
                .invalidField,
                "the field `types` must be names such as channel.up, or groups such as channel: "
                    + kinds.typeList, fields: ["types"])
        }
        return settings
    }

    private static func auditText(_ receiver: WebhookReceiver) -> String {
        // The path and the query of an address can hold a secret of the receiver's.
        let host = URL(string: receiver.url)?.host(percentEncoded: false) ?? ""
        return "\(receiver.id): \(UntrustedText.escaped(host, maximumCharacterCount: maximumAuditHostLength))"
    }

    private static let maximumAuditHostLength = 100
}
