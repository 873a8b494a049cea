package import APIContract
package import APIDeclarations
import NIOHTTP1

extension ServerClient {
    /// The accounts, in the order of their names.
    package func users() async throws -> [APIObject<AccountFields>] { try await items(AccountAPI.listUsers) }

    /// Creates an account, and returns it.
    ///
    /// - Parameters:
    ///   - username: the new account's name.
    ///   - role: its role.
    ///   - email: its e-mail address; `nil` for none.
    ///   - password: its password.
    package func createUser(
        _ username: String, role: String, email: String?, password: String
    ) async throws -> APIObject<AccountFields> {
        try await send(
            AccountAPI.createUser,
            body: NewAccountFields.request { new in
                [new.username(username), new.role(role), new.email(email), new.password(password)]
            })
    }

    /// Changes the role of an account.
    package func changeUser(_ name: String, role: String) async throws -> APIObject<AccountFields> {
        try await change(AccountAPI.changeUser, name, body: AccountChangeFields.request { [$0.role(role)] })
    }

    /// Changes the password of an account.
    package func changeUser(_ name: String, password: String) async throws -> APIObject<AccountFields> {
        try await change(AccountAPI.changeUser, name, body: AccountChangeFields.request { [$0.password(password)] })
    }

    /// Changes the state of an account.
    ///
    /// - Parameters:
    ///   - name: its username or e-mail address.
    ///   - state: `active` or `suspended`.
    ///   - seconds: the time for which it is suspended; `nil` for no end, and for `active`.
    package func setUserState(
        _ name: String, _ state: String, for seconds: Int?
    ) async throws -> APIObject<AccountFields> {
        let change = AccountChangeFields.request { account in
            [account.state(state), seconds.map { account.suspendedFor($0) }]
        }
        return try await self.change(AccountAPI.changeUser, name, body: change)
    }

    /// Deletes an account.
    package func removeUser(_ name: String) async throws { try await send(AccountAPI.deleteUser, name) }

    /// Sets what an account may do with a channel beyond its role.
    package func grant(
        _ permissions: [String], onChannel channel: String, to name: String
    ) async throws -> APIObject<AccountFields> {
        try await change(
            AccountAPI.setUserPermissions, name, channel,
            body: PermissionGrantFields.request { [$0.permissions(permissions)] },
            of: Self.path(of: AccountAPI.getUser, [name]))
    }

    /// Makes a link with which somebody sets a new password.
    package func passwordLink(for name: String) async throws -> String {
        try await send(AccountAPI.makePasswordLink, name).link ?? "-"
    }

    /// Removes the second factor of an account.
    package func removeSecondFactor(of name: String) async throws {
        try await send(AccountAPI.resetUserSecondFactor, name)
    }

    /// Makes a link with which somebody signs up, and returns it with its address.
    ///
    /// - Parameters:
    ///   - role: the role of the account; `nil` for that of people who sign up.
    ///   - email: the e-mail address of the account; `nil` for any.
    package func invite(role: String?, email: String?) async throws -> APIObject<OneTimeLinkFields> {
        try await send(
            AccountAPI.createInvitation, body: NewInvitationFields.request { [$0.role(role), $0.email(email)] })
    }

    /// The invitations that can still be used.
    package func invitations() async throws -> [APIObject<OneTimeLinkFields>] {
        try await send(AccountAPI.listInvitations).items
    }

    /// Ends an invitation.
    package func removeInvitation(_ id: String) async throws { try await send(AccountAPI.deleteInvitation, id) }

    /// Makes an API token or app password, and returns it with its secret.
    ///
    /// - Parameters:
    ///   - name: what the token is called.
    ///   - user: its owner; `nil` for the account of the session.
    ///   - kind: `apiToken` or `appPassword`.
    ///   - permissions: `nil` for all of the owner's.
    ///   - channels: `nil` for no limit.
    ///   - days: its life; `nil` if it does not expire.
    ///   - password: the password of the account of the session, which the server asks for if the token may rent,
    ///     manage or administer; `nil` to find out whether it does.
    package func createToken(
        _ name: String, for user: String?, kind: String, permissions: [String]?, channels: [String]?, days: Int?,
        password: String? = nil
    ) async throws -> APIObject<TokenFields> {
        try await send(
            AccountAPI.createToken,
            body: NewTokenFields.request { new in
                [
                    new.name(name), new.user(user), new.kind(kind), new.permissions(permissions),
                    new.channels(channels), new.days(days), new.currentPassword(password),
                ]
            })
    }

    /// The tokens of an account; `nil` for that of the session.
    package func tokens(of user: String?) async throws -> [APIObject<TokenFields>] {
        try await send(AccountAPI.listTokens, query: [("user", user)]).items
    }

    /// Ends a token of an account; `nil` for that of the session.
    package func revokeToken(_ id: String, of user: String?) async throws {
        _ = try await send(.DELETE, Self.path(of: AccountAPI.deleteToken, [id], query: [("user", user)]))
    }

    /// The links to media, newest first.
    package func links() async throws -> [APIObject<MediaLinkFields>] { try await items(MediaAccessAPI.listLinks) }

    /// Makes a link with which anybody can watch, and returns it: a URL, or a path if the server does not know its
    /// address.
    ///
    /// - Parameters:
    ///   - path: what it leads to.
    ///   - name: what the list calls it; `nil` for the path.
    ///   - seconds: its life.
    package func createLink(to path: String, name: String?, seconds: Int) async throws -> String {
        try await send(
            MediaAccessAPI.createLink,
            body: NewMediaLinkFields.request { [$0.path(path), $0.name(name), $0.expiresIn(seconds)] }
        ).link ?? "-"
    }

    /// Ends a link.
    package func revokeLink(_ id: String) async throws { try await send(MediaAccessAPI.deleteLink, id) }

    /// Makes a link with which one publisher pushes to a channel, and returns it: an RTSP URL.
    ///
    /// - Parameters:
    ///   - channel: the channel's name.
    ///   - name: what the list calls it; `nil` for the channel.
    ///   - seconds: its life.
    package func createPublishLink(to channel: String, name: String?, seconds: Int) async throws -> String {
        let new = NewPublishLinkFields.request { [$0.name(name), $0.expiresIn(seconds)] }
        let link = try await send(MediaAccessAPI.createPublishLink, channel, body: new).link ?? "-"
        // Without --public-url the server knows only the path.
        guard link.hasPrefix("/") else { return link }
        let port: Int = try await send(AboutAPI.getAbout).rtspPort ?? 8_554
        return "rtsp://\(hostText):\(port)\(link)"
    }

    /// A channel's links for publishers.
    package func publishLinks(of channel: String) async throws -> [APIObject<PublishLinkFields>] {
        try await items(MediaAccessAPI.listPublishLinks, channel)
    }

    /// Ends a link for publishers.
    package func revokePublishLink(_ id: String, of channel: String) async throws {
        try await send(MediaAccessAPI.deletePublishLink, channel, id)
    }

    /// The audience of a title or track.
    ///
    /// - Parameters:
    ///   - collection: `titles` or `tracks`.
    ///   - id: its ID.
    package func audience(of collection: String, _ id: String) async throws -> APIObject<ItemAudienceFields> {
        let operation = collection == "tracks" ? MediaAccessAPI.getTrackAudience : MediaAccessAPI.getTitleAudience
        return try await send(operation, id)
    }

    /// Sets who may watch a title or track.
    ///
    /// - Parameters:
    ///   - audience: the new audience, or `section` for that of the section; `nil` leaves it as it is.
    ///   - invited: usernames of the accounts that may watch it in any case; `nil` leaves them.
    ///   - collection: `titles` or `tracks`.
    ///   - id: its ID.
    package func setAudience(
        _ audience: String?, invited: [String]?, of collection: String, _ id: String
    ) async throws -> APIObject<ItemAudienceFields> {
        let change = ItemAudienceChangeFields.request { item in
            [audience.map { item.audience($0) }, invited.map { item.invited($0) }]
        }
        let operation = collection == "tracks" ? MediaAccessAPI.setTrackAudience : MediaAccessAPI.setTitleAudience
        return try await self.change(operation, id, body: change)
    }

    /// Entries of the audit log, newest first.
    ///
    /// - Parameters:
    ///   - user: an account that was changed; `nil` for all.
    ///   - event: a kind of change; `nil` for all.
    ///   - limit: maximum number of entries.
    package func auditLog(user: String?, event: String?, limit: Int) async throws -> [APIObject<AuditEntryFields>] {
        try await items(AccountAPI.listAuditEntries, query: [("user", user), ("event", event)], limit: limit)
    }
}
