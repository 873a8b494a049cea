import Foundation
package import JSONDocument
import NIOHTTP1

/// The requests of a member who has logged in; the client has the member's session.
extension ServerClient {
    private static let sessionPath = "/api/v1/session"
    private static let mePath = "/api/v1/me"

    // MARK: Session

    /// The result of a log-in.
    package enum LogIn: Sendable {
        case session(MemberSession)
        /// The account has a second factor.
        case codeNeeded(challenge: String)
    }

    /// Logs in with a password.
    ///
    /// - Parameters:
    ///   - name: the username or e-mail address.
    ///   - password: the password.
    ///   - server: the server as the user has named it.
    package func logIn(_ name: String, password: String, at server: String) async throws -> LogIn {
        let answer = try await send(
            .POST, Self.sessionPath,
            .object([
                ("username", .string(name)), ("password", .string(password)), ("staysLoggedIn", .boolean(true)),
                ("returnsToken", .boolean(true)),
            ]))
        if let challenge = answer["challenge"]?.string { return .codeNeeded(challenge: challenge) }
        return .session(try Self.session(answer, server))
    }

    /// Ends a log-in with the code of the second factor.
    package func logIn(challenge: String, code: String, at server: String) async throws -> MemberSession {
        let body: [JSONText.Field] = [
            ("challenge", .string(challenge)), ("code", .string(code)), ("returnsToken", .boolean(true)),
        ]
        return try Self.session(try await send(.POST, "\(Self.sessionPath)/second-factor", .object(body)), server)
    }

    private static func session(_ answer: JSONNode, _ server: String) throws(ServerClientError) -> MemberSession {
        guard let username = answer["username"]?.string, let token = answer["token"]?.string else {
            throw ServerClientError("\(server) does not respond like an Antena server.")
        }
        return MemberSession(server: server, username: username, token: token)
    }

    /// Ends the session.
    package func logOut() async throws { _ = try await send(.DELETE, Self.sessionPath) }

    // MARK: Account

    /// The account.
    package func ownAccount() async throws -> JSONNode { try await get(Self.mePath) }

    /// Changes fields of the profile, and returns the account.
    package func changeOwnAccount(_ changes: JSONText) async throws -> JSONNode {
        try await patch(Self.mePath, changes)
    }

    /// Changes the password; other sessions end.
    package func changeOwnPassword(from current: String, to new: String) async throws {
        _ = try await send(
            .PUT, "\(Self.mePath)/password",
            .object([("currentPassword", .string(current)), ("password", .string(new))]))
    }

    /// Changes the e-mail address, and returns the account. It has the old address if the new one has to be confirmed
    /// first.
    package func changeOwnAddress(to email: String, password: String) async throws -> JSONNode {
        try await send(
            .PUT, "\(Self.mePath)/email", .object([("currentPassword", .string(password)), ("email", .string(email))]))
    }

    /// Makes a JPEG or PNG file the photo of the account; `nil` removes the photo.
    package func setOwnPhoto(toFileAt path: String?) async throws {
        let resource = "\(Self.mePath)/photo"
        guard let path else {
            _ = try await send(.DELETE, resource)
            return
        }
        _ = try await putImage(resource, fileAt: path)
    }

    /// Deletes the account with everything that belongs to it.
    package func deleteOwnAccount(password: String) async throws {
        _ = try await send(.DELETE, Self.mePath, .object([("currentPassword", .string(password))]))
    }

    /// All that the server knows about the account, piece by piece.
    package func exportOwnData(_ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: "\(Self.mePath)/export", body)
    }

    /// Writes all that the server knows about the account into a ZIP archive.
    ///
    /// - Parameters:
    ///   - file: the path of the archive, which is replaced.
    ///   - hasFiles: whether the videos that the member has sent are in it, which may take hours.
    /// - Returns: its size in bytes.
    package func exportOwnArchive(to file: String, hasFiles: Bool = false) async throws -> Int {
        guard FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw ServerClientError("\(file) cannot be written.")
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        defer { try? handle.close() }
        var byteCount = 0
        do {
            try await pieces(of: "\(Self.mePath)/export.zip\(hasFiles ? "?files=true" : "")", hasLimit: !hasFiles) {
                piece in
                try handle.write(contentsOf: Data(piece))
                byteCount += piece.count
            }
        } catch {
            // Half an archive is of no use.
            try? FileManager.default.removeItem(atPath: file)
            throw error
        }
        return byteCount
    }

    // MARK: Sessions and second factor

    /// The sessions of the account.
    package func ownSessions() async throws -> [JSONNode] {
        try await get("\(Self.mePath)/sessions")["items"]?.elements ?? []
    }

    /// Ends a session of the account; `nil` ends all but this one.
    package func endOwnSession(_ id: String?) async throws {
        _ = try await send(.DELETE, "\(Self.mePath)/sessions\(id.map { "/\(Self.escaped($0))" } ?? "")")
    }

    /// The state of the second factor: whether the account has one, and how many recovery codes are left.
    package func ownSecondFactor() async throws -> JSONNode { try await get("\(Self.mePath)/second-factor") }

    /// Begins to set up a second factor, and returns the address for an authenticator.
    package func beginOwnSecondFactor(password: String) async throws -> String {
        try await send(.POST, "\(Self.mePath)/second-factor", .object([("currentPassword", .string(password))])).text(
            "uri")
    }

    /// Turns the second factor on, and returns the recovery codes.
    package func confirmOwnSecondFactor(code: String) async throws -> [String] {
        let answer = try await send(.PUT, "\(Self.mePath)/second-factor", .object([("code", .string(code))]))
        return answer["recoveryCodes"]?.elements?.compactMap(\.string) ?? []
    }

    /// Turns the second factor off.
    package func turnOffOwnSecondFactor(password: String) async throws {
        _ = try await send(.DELETE, "\(Self.mePath)/second-factor", .object([("currentPassword", .string(password))]))
    }

    // MARK: Video club

    /// The member's rentals, newest first.
    package func ownRentals(limit: Int) async throws -> [JSONNode] {
        try await list("\(Self.mePath)/rentals", limit: limit)
    }

    /// The member's credits.
    package func ownBalance() async throws -> JSONNode { try await get("\(Self.mePath)/credits?limit=1") }

    /// The movements of the member's credits, newest first.
    package func ownMovements(limit: Int) async throws -> [JSONNode] {
        try await list("\(Self.mePath)/credits", limit: limit)
    }

    /// Fetches the whole history of the member's credits as comma-separated values, piece by piece.
    package func ownCreditHistory(_ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: "\(Self.mePath)/credits.csv", body)
    }

    /// The offer of a title: its price, and the member's rental and vote.
    package func offer(of title: String) async throws -> JSONNode { try await get(Self.path("titles", title, "offer")) }

    /// Rents a title, and returns the rental and the credits that are left.
    ///
    /// - Parameters:
    ///   - title: the title's ID.
    ///   - key: the same key rents once.
    package func rent(_ title: String, key: String) async throws -> JSONNode {
        try await send(.POST, Self.path("titles", title, "rentals"), key: key)
    }

    /// Begins the time of a rental, and returns it.
    package func activateRental(_ id: String) async throws -> JSONNode {
        try await send(.POST, Self.path("rentals", id, "activation"))
    }

    /// Votes for a title, and returns its votes.
    package func vote(_ rating: Int, for title: String) async throws -> JSONNode {
        try await send(.PUT, Self.path("titles", title, "vote"), .object([("rating", .integer(rating))]))
    }
}
