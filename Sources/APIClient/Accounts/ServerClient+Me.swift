package import APIContract
package import APIDeclarations
import Foundation

/// The requests of a member who has logged in; the client has the member's session.
extension ServerClient {
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
            AccountAPI.logIn,
            body: LogInRequestFields.request { request in
                [
                    request.username(name), request.password(password), request.staysLoggedIn(true),
                    request.returnsToken(true),
                ]
            })
        if let challenge = APIObject<SecondFactorChallengeFields>(json: answer.json)?.challenge {
            return .codeNeeded(challenge: challenge)
        }
        return .session(try Self.session(answer, server))
    }

    /// Ends a log-in with the code of the second factor.
    package func logIn(challenge: String, code: String, at server: String) async throws -> MemberSession {
        let entry = SecondFactorEntryFields.request { [$0.challenge(challenge), $0.code(code), $0.returnsToken(true)] }
        return try Self.session(try await send(AccountAPI.enterSecondFactor, body: entry), server)
    }

    private static func session(
        _ answer: APIObject<SessionBegunFields>, _ server: String
    ) throws(ServerClientError) -> MemberSession {
        guard let username = answer.username, let token = answer.token else {
            throw ServerClientError("\(server) does not respond like an Antena server.")
        }
        return MemberSession(server: server, username: username, token: token)
    }

    /// Ends the session.
    package func logOut() async throws { try await send(AccountAPI.logOut) }

    // MARK: Account

    /// The account.
    package func ownAccount() async throws -> APIObject<AccountFields> { try await send(AccountAPI.getMe) }

    /// Changes fields of the profile, and returns the account.
    package func changeOwnAccount(
        _ change: APIObject<ProfileChangeFields>
    ) async throws -> APIObject<AccountFields> {
        try await self.change(AccountAPI.changeMe, body: change)
    }

    /// Changes the password; other sessions end.
    package func changeOwnPassword(from current: String, to new: String) async throws {
        try await send(
            AccountAPI.changePassword,
            body: PasswordChangeFields.request { [$0.currentPassword(current), $0.password(new)] })
    }

    /// Changes the e-mail address, and returns the account. It has the old address if the new one has to be confirmed
    /// first.
    package func changeOwnAddress(to email: String, password: String) async throws -> APIObject<AccountFields> {
        try await send(
            AccountAPI.changeEmail,
            body: EmailChangeFields.request { [$0.currentPassword(password), $0.email(email)] })
    }

    /// Makes a JPEG or PNG file the photo of the account; `nil` removes the photo.
    package func setOwnPhoto(toFileAt path: String?) async throws {
        guard let path else { return try await send(AccountAPI.deleteOwnPhoto) }
        _ = try await putImage(Self.path(of: AccountAPI.setOwnPhoto, []), fileAt: path)
    }

    /// Deletes the account with everything that belongs to it.
    package func deleteOwnAccount(password: String) async throws {
        try await send(AccountAPI.deleteMe, body: Self.confirmation(password))
    }

    private static func confirmation(_ password: String) -> APIObject<PasswordConfirmationFields> {
        PasswordConfirmationFields.request { [$0.currentPassword(password)] }
    }

    /// All that the server knows about the account, piece by piece.
    package func exportOwnData(_ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: Self.path(of: AccountAPI.exportOwnData, []), body)
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
        let path = Self.path(
            of: AccountAPI.exportOwnDataArchive, [], query: [("files", hasFiles ? "true" : nil)])
        var byteCount = 0
        do {
            try await pieces(of: path, hasLimit: !hasFiles) { piece in
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
    package func ownSessions() async throws -> [APIObject<SessionFields>] {
        try await send(AccountAPI.listSessions).items
    }

    /// Ends a session of the account; `nil` ends all but this one.
    package func endOwnSession(_ id: String?) async throws {
        guard let id else { return try await send(AccountAPI.endOtherSessions) }
        try await send(AccountAPI.endSession, id)
    }

    /// The state of the second factor: whether the account has one, and how many recovery codes are left.
    package func ownSecondFactor() async throws -> APIObject<SecondFactorStateFields> {
        try await send(AccountAPI.getSecondFactor)
    }

    /// Begins to set up a second factor, and returns the address for an authenticator.
    package func beginOwnSecondFactor(password: String) async throws -> String {
        try await send(AccountAPI.beginSecondFactor, body: Self.confirmation(password)).uri ?? "-"
    }

    /// Turns the second factor on, and returns the recovery codes.
    package func confirmOwnSecondFactor(code: String) async throws -> [String] {
        let entry = SecondFactorCodeFields.request { [$0.code(code)] }
        return try await send(AccountAPI.enableSecondFactor, body: entry).recoveryCodes ?? []
    }

    /// Turns the second factor off.
    package func turnOffOwnSecondFactor(password: String) async throws {
        try await send(AccountAPI.disableSecondFactor, body: Self.confirmation(password))
    }

    // MARK: Video club

    /// The member's rentals, newest first.
    package func ownRentals(limit: Int) async throws -> [APIObject<RentalFields>] {
        try await items(VideoClubAPI.listOwnRentals, limit: limit)
    }

    /// The member's credits.
    package func ownBalance() async throws -> APIObject<OwnCreditsFields> {
        try await send(VideoClubAPI.getOwnCredits, query: [("limit", "1")])
    }

    /// The movements of the member's credits, newest first.
    package func ownMovements(limit: Int) async throws -> [APIObject<CreditMovementFields>] {
        try await items(in: VideoClubAPI.getOwnCredits, limit: limit)
    }

    /// Fetches the whole history of the member's credits as comma-separated values, piece by piece.
    package func ownCreditHistory(_ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: Self.path(of: VideoClubAPI.exportOwnCredits, []), body)
    }

    /// The offer of a title: its price, and the member's rental and vote.
    package func offer(of title: String) async throws -> APIObject<OfferFields> {
        try await send(VideoClubAPI.getOffer, title)
    }

    /// Rents a title, and returns the rental and the credits that are left.
    ///
    /// - Parameters:
    ///   - title: the title's ID.
    ///   - key: the same key rents once.
    package func rent(_ title: String, key: String) async throws -> APIObject<RentalBegunFields> {
        try await send(VideoClubAPI.rentTitle, title, key: key)
    }

    /// Begins the time of a rental, and returns it.
    package func activateRental(_ id: String) async throws -> APIObject<RentalFields> {
        try await send(VideoClubAPI.activateRental, id)
    }

    /// Votes for a title, and returns its votes.
    package func vote(_ rating: Int, for title: String) async throws -> APIObject<VotesFields> {
        try await send(VideoClubAPI.voteForTitle, title, body: VoteFields.request { [$0.rating(rating)] })
    }
}
