package import Accounts
import Crypto
import Database
package import MediaCore

/// Links for publishers without an account, such as a guest who films one match.
///
/// The first publisher uses a link up; its address may come back until the link ends, because encoders lose their
/// network.
extension MediaLinks {
    /// Makes a link. Whether the caller may is for the caller of this to ask.
    ///
    /// - Parameters:
    ///   - name: what it is called in the list.
    ///   - channel: the channel's name.
    ///   - expiresAt: its end; a day from now if `nil`.
    ///   - caller: who makes it.
    /// - Throws: `Refusal` with `invalidField` or `tooMany`.
    package func createPublishLink(
        _ name: String, channel: String, until expiresAt: WallClockTime? = nil, by caller: Caller
    ) async throws -> NewPublishLink {
        let name = try Self.checked(name)
        let now = now
        let end = expiresAt ?? now + PublishLink.defaultLife
        guard end > now, end <= now + PublishLink.maximumLife else {
            let days = Int64(PublishLink.maximumLife.seconds) / 86_400
            throw Refusal(
                .invalidField, "a link for publishers ends within \(days) days", fields: ["expiresIn"])
        }
        let secret = Secret(.publishLink)
        let link = PublishLink(
            number: 0, id: OpaqueID(), channel: channel, name: name, createdAt: now, expiresAt: end)
        return try await database.write { db in
            let link = try PublishLinkRows.insert(link, secret, db)
            try Accounts.note(
                .publishLinkCreated, by: caller, about: nil, after: "\(link.id): \(channel) (\(name))", at: now, db)
            return NewPublishLink(link: link, secret: secret, passphrase: self.passphrase(of: secret))
        }
    }

    /// A page of a channel's links, newest first, with those that have ended less than 30 days ago.
    ///
    /// - Throws: `Refusal` with `invalidCursor`.
    package func publishLinks(
        of channel: String, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<PublishLink> {
        let size = ListPage<PublishLink>.size(limit)
        return try await database.read { db in
            try PublishLinkRows.page(of: channel, after: cursor, size: size, db)
        }
    }

    /// Ends a link. Who pushes with it already goes on until the connection ends.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func revokePublishLink(_ id: OpaqueID, of channel: String, by caller: Caller) async throws {
        let now = now
        try await database.write { db in
            guard let link = try PublishLinkRows.revoke(id, of: channel, at: now, db) else {
                throw Refusal(.notFound, "the channel has no such link")
            }
            try Accounts.note(
                .publishLinkRevoked, by: caller, about: nil, before: "\(link.id): \(channel) (\(link.name))", at: now,
                db)
        }
    }

    /// Lets a publisher begin with a link.
    ///
    /// - Parameters:
    ///   - text: what the publisher has sent.
    ///   - channel: the channel's name.
    ///   - origin: the publisher's address.
    /// - Returns: the link; `nil` if it does not let this publisher in.
    package func publisher(
        with text: String, to channel: String, from origin: RequestOrigin
    ) async throws -> PublishLink? {
        guard let secret = Secret(.publishLink, parsing: text) else { return nil }
        let (now, address) = (now, origin.group.description)
        return try await database.write { db in
            try PublishLinkRows.use(secret, channel: channel, address: address, at: now, db)
        }
    }

    /// The passphrase with which a publisher encrypts by SRT, where the secret itself travels in the open.
    ///
    /// - Parameter text: what the publisher has sent.
    /// - Returns: `nil` for what has not the form of a link's secret. Whether there is such a link is not checked.
    package func passphrase(ofPublishSecret text: String) -> String? {
        Secret(.publishLink, parsing: text).map { passphrase(of: $0) }
    }

    private func passphrase(of secret: Secret) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("srt passphrase \(secret.text)".utf8), using: key)
        return Base64URL.text(Array(code).prefix(Self.passphraseByteCount))
    }

    private static let passphraseByteCount = 18

    /// Whether a text has the form of such a link's secret.
    package static func isPublishSecret(_ text: String) -> Bool { Secret(.publishLink, parsing: text) != nil }
}
