package import Accounts
package import Crypto
package import Database
package import MediaCore

/// Links with which anybody can watch a channel, title or track until a time, without an account.
///
/// Several servers can share a database: what one has revoked is revoked on the others within a second.
package final class MediaLinks: Sendable {
    let database: any SQLDatabase
    private let signer: MediaSigner
    let key: SymmetricKey
    private let wallClock: WallClock
    private let revoked: RevokedLinks
    private let verified = VerifiedSignatures()

    private init(
        _ database: any SQLDatabase, _ key: SymmetricKey, _ wallClock: WallClock,
        _ uptime: @escaping @Sendable () -> Duration
    ) {
        (self.database, self.key, self.wallClock) = (database, key, wallClock)
        signer = MediaSigner(key: key)
        revoked = RevokedLinks(uptime: uptime) {
            let now = wallClock.now()
            return try await database.read { db in try MediaLinkRows.revoked(at: now, db) }
        }
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: the database of the accounts, whose audit log notes changes.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - key: 256 bits that are not in the database, the same on all servers that share it. If it changes, all links
    ///     end.
    ///   - wallClock: tells the time of expiries.
    ///   - uptime: the time since some start, for what is kept for a second.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, key: SymmetricKey, wallClock: WallClock = .system,
        uptime: @escaping @Sendable () -> Duration = ContinuousClock().elapsed()
    ) async throws -> MediaLinks {
        try await SQLMigrator(MediaLinkSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return MediaLinks(database, key, wallClock, uptime)
    }

    /// The time by which expiries are judged.
    package var now: WallClockTime { wallClock.now() }

    // MARK: Links

    /// Makes a link. Whether the caller may is for the caller of this to ask.
    ///
    /// - Parameters:
    ///   - name: what it is called in the list.
    ///   - folder: the folder under which all may be watched, such as `/live/canalA.stream`, percent-encoded.
    ///   - target: the path of the playlist or file in it that the link leads to.
    ///   - expiresAt: its end; a day from now if `nil`.
    ///   - caller: who makes it.
    /// - Throws: `Refusal` with `invalidField` or `tooMany`.
    package func create(
        _ name: String, folder: String, target: String, until expiresAt: WallClockTime? = nil, by caller: Caller
    ) async throws -> MediaLink {
        let now = wallClock.now()
        let name = try Self.checked(name)
        // The signature has whole seconds.
        let end = WallClockTime(
            millisecondsSince1970: (expiresAt ?? now + MediaLink.defaultLife).secondsSince1970 * 1_000)
        guard end > now else {
            throw Refusal(.invalidField, "the link would end in the past", fields: ["expiresAt"])
        }
        guard end <= now + MediaLink.maximumLife else {
            let days = Int64(MediaLink.maximumLife.seconds) / 86_400
            throw Refusal(.invalidField, "a link ends after at most \(days) days", fields: ["expiresAt"])
        }
        guard target.utf8.count <= MediaLink.maximumTargetByteCount else {
            throw Refusal(
                .invalidField, "the path is limited to \(MediaLink.maximumTargetByteCount) bytes", fields: ["path"])
        }
        let link = MediaLink(
            number: 0, id: OpaqueID(), name: name, folder: folder, target: target, createdAt: now, expiresAt: end)
        return try await database.write { db in
            let link = try MediaLinkRows.insert(link, by: caller.principal.member?.id, db)
            try Accounts.note(
                .mediaLinkCreated, by: caller, about: nil, after: "\(link.id): \(link.folder) (\(link.name))", at: now,
                db)
            return link
        }
    }

    /// A page of links, newest first, with those that have ended less than 30 days ago.
    ///
    /// - Parameters:
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func links(after cursor: String? = nil, limit: Int? = nil) async throws -> ListPage<MediaLink> {
        let size = ListPage<MediaLink>.size(limit)
        return try await database.read { db in try MediaLinkRows.page(after: cursor, size: size, db) }
    }

    /// Ends a link.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func revoke(_ id: OpaqueID, by caller: Caller) async throws {
        let now = wallClock.now()
        try await database.write { db in
            guard let link = try MediaLinkRows.revoke(id, at: now, db) else {
                throw Refusal(.notFound, "there is no such link")
            }
            try Accounts.note(
                .mediaLinkRevoked, by: caller, about: nil, before: "\(link.id): \(link.folder) (\(link.name))", at: now,
                db)
        }
        revoked.note(id.text)
    }

    /// The path of a link with its signature.
    package func path(of link: MediaLink) -> String {
        let signature = signer.sign(link.folder, until: link.expiresAt.secondsSince1970, id: link.id.text)
        return "/\(Self.folderName)/\(signature.text)\(link.target)"
    }

    /// The first component of signed paths.
    package static let folderName = MediaPath.signedFolderName

    /// Deletes what has ended long ago. Called once an hour.
    package func maintain() async throws {
        let time = wallClock.now() - MediaLink.remembranceAfterEnd
        let publishTime = wallClock.now() - PublishLink.remembranceAfterEnd
        try await database.write { db in
            try MediaLinkRows.delete(endedBefore: time, db)
            try PublishLinkRows.delete(endedBefore: publishTime, db)
        }
    }

    /// - Throws: `Refusal` if a name cannot be shown in a list.
    static func checked(_ name: String) throws(Refusal) -> String {
        let name = UntrustedText.stripped(name, maximumCharacterCount: MediaLink.maximumNameLength + 1)
        guard !name.allSatisfy(\.isWhitespace), name.count <= MediaLink.maximumNameLength else {
            throw Refusal(
                .invalidField, "a link's name has 1 to \(MediaLink.maximumNameLength) characters", fields: ["name"])
        }
        return name
    }

    // MARK: Decisions

    /// Signs something that is not in the list, for a viewer whom something else has let in, such as a JWT.
    ///
    /// - Parameters:
    ///   - folder: the folder under which all may be watched.
    ///   - expiresAt: the end; at most a year from now is used.
    ///   - id: what the signature names, such as a rental.
    ///   - start: the time before which playback has to begin; `nil` if it can begin until the end.
    ///   - session: what the players that share the signature have in common; `nil` if they are not counted.
    package func sign(
        _ folder: String, until expiresAt: WallClockTime, id: OpaqueID = OpaqueID(),
        startingBefore start: WallClockTime? = nil, session: String? = nil
    ) -> MediaSignature {
        let end = min(expiresAt, wallClock.now() + MediaLink.maximumLife)
        return signer.sign(
            folder, until: end.secondsSince1970,
            id: MediaSignature.id(id.text, startingBefore: start?.secondsSince1970, session: session))
    }

    /// Signs something that needs no rental, for as long as it needs none.
    ///
    /// - Parameters:
    ///   - folder: the folder under which all may be watched.
    ///   - expiresAt: the end; at most a year from now is used.
    package func signWhileFree(_ folder: String, until expiresAt: WallClockTime) -> MediaSignature {
        let end = min(expiresAt, wallClock.now() + MediaLink.maximumLife)
        return signer.sign(
            folder, until: end.secondsSince1970, id: MediaSignature.idWhileFree(OpaqueID().text))
    }

    /// Decides about the signature of a request without waiting; `nil` if the database has to be asked first.
    ///
    /// - Parameters:
    ///   - text: the text of the signature.
    ///   - folder: the folder of the requested media.
    package func decideNow(_ text: String, for folder: String) -> SignatureDecision? {
        let (signature, decision) = check(text, folder)
        guard case .valid = decision, let signature else { return decision }
        return revoked.contains(signature.id).map { $0 ? .revoked : decision }
    }

    /// Decides about the signature of a request.
    package func decide(_ text: String, for folder: String) async -> SignatureDecision {
        let (signature, decision) = check(text, folder)
        guard case .valid = decision, let signature else { return decision }
        return switch await revoked.containsAfterAsking(signature.id) {
        case true: .revoked
        case false: decision
        case nil: .unavailable
        }
    }

    private func check(_ text: String, _ folder: String) -> (MediaSignature?, SignatureDecision) {
        guard let signature = verify(VerifiedSignatures.Key(text: text, folder: folder)) else {
            return (nil, .wrong)
        }
        // Both are near the present, because this server has signed them.
        let (left, overflow) = signature.expiresAt.subtractingReportingOverflow(wallClock.now().secondsSince1970)
        guard !overflow, left > 0 else { return (signature, .expired) }
        return (signature, .valid(seconds: left))
    }

    /// The signature if this server has signed it for the folder.
    private func verify(_ key: VerifiedSignatures.Key) -> MediaSignature? {
        if let signature = verified.signature(key) { return signature }
        guard let signature = MediaSignature(parsing: key.text), signer.isValid(signature, for: key.folder) else {
            return nil
        }
        verified.insert(signature, key)
        return signature
    }
}
