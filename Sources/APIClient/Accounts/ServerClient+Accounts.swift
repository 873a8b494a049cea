package import JSONDocument
import NIOHTTP1

extension ServerClient {
    /// Creates an account, and returns it.
    ///
    /// - Parameters:
    ///   - username: the new account's name.
    ///   - role: its role.
    ///   - email: its e-mail address; `nil` for none.
    ///   - password: its password.
    package func createUser(
        _ username: String, role: String, email: String?, password: String
    ) async throws -> JSONNode {
        try await send(
            .POST, "/api/v1/users",
            .object([
                ("username", .string(username)), ("role", .string(role)), ("email", .optional(email)),
                ("password", .string(password)),
            ]))
    }

    /// Changes one field of an account: `role` or `password`.
    package func changeUser(_ name: String, _ field: String, to value: String) async throws -> JSONNode {
        try await patch(Self.path("users", name), .object([(field, .string(value))]))
    }

    /// Changes the state of an account.
    ///
    /// - Parameters:
    ///   - name: its username or e-mail address.
    ///   - state: `active` or `suspended`.
    ///   - seconds: the time for which it is suspended; `nil` for no end, and for `active`.
    package func setUserState(_ name: String, _ state: String, for seconds: Int?) async throws -> JSONNode {
        let end = seconds.map { [("suspendedFor", JSONText.integer($0))] } ?? []
        return try await patch(Self.path("users", name), .object([("state", .string(state))] + end))
    }

    /// Deletes an account.
    package func removeUser(_ name: String) async throws { _ = try await send(.DELETE, Self.path("users", name)) }

    /// Sets what an account may do with a channel beyond its role.
    package func grant(_ permissions: [String], onChannel channel: String, to name: String) async throws -> JSONNode {
        let path = "\(Self.path("users", name, "channels"))/\(Self.escaped(channel))"
        let body = JSONText.object([("permissions", .array(permissions.map(JSONText.string)))])
        return try await change(Self.path("users", name)) { try await send(.PUT, path, body, ifMatch: $0) }
    }

    /// Makes a link with which somebody sets a new password.
    package func passwordLink(for name: String) async throws -> String {
        try await send(.POST, Self.path("users", name, "password-link")).text("link")
    }

    /// Removes the second factor of an account.
    package func removeSecondFactor(of name: String) async throws {
        _ = try await send(.DELETE, Self.path("users", name, "second-factor"))
    }

    /// Makes a link with which somebody signs up, and returns it with its address.
    ///
    /// - Parameters:
    ///   - role: the role of the account; `nil` for that of people who sign up.
    ///   - email: the e-mail address of the account; `nil` for any.
    package func invite(role: String?, email: String?) async throws -> JSONNode {
        try await send(
            .POST, "/api/v1/invitations", .object([("role", .optional(role)), ("email", .optional(email))]))
    }

    /// The invitations that can still be used.
    package func invitations() async throws -> [JSONNode] {
        try await get("/api/v1/invitations")["items"]?.elements ?? []
    }

    /// Ends an invitation.
    package func removeInvitation(_ id: String) async throws {
        _ = try await send(.DELETE, Self.path("invitations", id))
    }

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
    ) async throws -> JSONNode {
        func list(_ names: [String]?) -> JSONText { names.map { .array($0.map(JSONText.string)) } ?? .null }
        return try await send(
            .POST, "/api/v1/tokens",
            .object([
                ("name", .string(name)), ("user", .optional(user)), ("kind", .string(kind)),
                ("permissions", list(permissions)), ("channels", list(channels)), ("days", .optional(days)),
                ("currentPassword", .optional(password)),
            ]))
    }

    /// The tokens of an account; `nil` for that of the session.
    package func tokens(of user: String?) async throws -> [JSONNode] {
        try await get("/api/v1/tokens\(Self.owner(user))")["items"]?.elements ?? []
    }

    /// Ends a token of an account; `nil` for that of the session.
    package func revokeToken(_ id: String, of user: String?) async throws {
        _ = try await send(.DELETE, "\(Self.path("tokens", id))\(Self.owner(user))")
    }

    private static func owner(_ user: String?) -> String { user.map { "?user=\(escaped($0))" } ?? "" }

    /// Makes a link with which anybody can watch, and returns it: a URL, or a path if the server does not know its
    /// address.
    ///
    /// - Parameters:
    ///   - path: what it leads to.
    ///   - name: what the list calls it; `nil` for the path.
    ///   - seconds: its life.
    package func createLink(to path: String, name: String?, seconds: Int) async throws -> String {
        try await send(
            .POST, "/api/v1/links",
            .object([("path", .string(path)), ("name", .optional(name)), ("expiresIn", .integer(seconds))])
        ).text("link")
    }

    /// Ends a link.
    package func revokeLink(_ id: String) async throws { _ = try await send(.DELETE, Self.path("links", id)) }

    /// Makes a link with which one publisher pushes to a channel, and returns it: an RTSP URL.
    ///
    /// - Parameters:
    ///   - channel: the channel's name.
    ///   - name: what the list calls it; `nil` for the channel.
    ///   - seconds: its life.
    package func createPublishLink(to channel: String, name: String?, seconds: Int) async throws -> String {
        let link = try await send(
            .POST, Self.path("channels", channel, "publish-links"),
            .object([("name", .optional(name)), ("expiresIn", .integer(seconds))])
        ).text("link")
        // Without --public-url the server knows only the path.
        guard link.hasPrefix("/") else { return link }
        let port = try await get("/api/v1/about")["rtspPort"]?.integer ?? 8_554
        return "rtsp://\(hostText):\(port)\(link)"
    }

    /// A channel's links for publishers.
    package func publishLinks(of channel: String) async throws -> [JSONNode] {
        try await list(Self.path("channels", channel, "publish-links"))
    }

    /// Ends a link for publishers.
    package func revokePublishLink(_ id: String, of channel: String) async throws {
        _ = try await send(.DELETE, "\(Self.path("channels", channel, "publish-links"))/\(Self.escaped(id))")
    }

    /// The audience of a title or track.
    ///
    /// - Parameters:
    ///   - collection: `titles` or `tracks`.
    ///   - id: its ID.
    package func audience(of collection: String, _ id: String) async throws -> JSONNode {
        try await get(Self.path(collection, id, "audience"))
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
    ) async throws -> JSONNode {
        var fields: [(String, JSONText)] = []
        if let audience { fields.append(("audience", .string(audience))) }
        if let invited { fields.append(("invited", .array(invited.map(JSONText.string)))) }
        return try await patch(Self.path(collection, id, "audience"), .object(fields))
    }

    /// Entries of the audit log, newest first.
    ///
    /// - Parameters:
    ///   - user: an account that was changed; `nil` for all.
    ///   - event: a kind of change; `nil` for all.
    ///   - limit: maximum number of entries.
    package func auditLog(user: String?, event: String?, limit: Int) async throws -> [JSONNode] {
        let filters = [("user", user), ("event", event)].compactMap { name, value in
            value.map { "\(name)=\(Self.escaped($0))" }
        }
        let query = filters.isEmpty ? "" : "?\(filters.joined(separator: "&"))"
        return try await list("/api/v1/audit\(query)", limit: limit)
    }
}
