import Database
import MediaCore
package import WebAuthentication

extension Accounts {
    /// Begins to make a passkey for the caller's account.
    ///
    /// - Parameters:
    ///   - password: the account's password.
    ///   - caller: somebody who has logged in.
    /// - Throws: `Refusal` with `notAvailable` if the server has no domain.
    package func beginPasskey(password: String?, by caller: Caller) async throws -> PasskeyCreation {
        let server = try relyingParty
        let member = try await confirm(password, by: caller)
        let challenge = Base64URL.text(RandomText.bytes(Self.challengeByteCount))
        let now = wallClock.now()
        let known = try await database.write { db in
            try PasskeyRows.insertChallenge(challenge, user: member.id, at: now, db)
            return try PasskeyRows.credentialIDs(of: member.id, db)
        }
        return PasskeyCreation(
            challenge: challenge, relyingPartyID: server.id, relyingPartyName: server.name,
            userID: Base64URL.text(member.id.text.utf8), username: member.username,
            algorithms: PasskeyKey.algorithms, excludedCredentials: known.map { Base64URL.text($0) })
    }

    /// Adds the passkey that an authenticator has made.
    ///
    /// - Parameters:
    ///   - attestation: the authenticator's answer to the challenge of ``beginPasskey(password:by:)``.
    ///   - name: a name for the list, such as that of the device.
    ///   - caller: somebody who has logged in.
    /// - Throws: `Refusal` with `passkeyNotValid`, `linkNotValid` or `tooMany`.
    package func addPasskey(
        _ attestation: PasskeyAttestation, name: String, by caller: Caller
    ) async throws -> Passkey {
        let (member, _) = try ownSession(caller)
        let (challenge, data, credential) = try relyingParty.check(attestation)
        let now = wallClock.now()
        let shown = UntrustedText.stripped(name, maximumCharacterCount: Passkey.maximumNameCharacterCount)
        let passkey = Passkey(
            id: OpaqueID(), name: shown.isEmpty ? "passkey" : shown, isBackupEligible: data.isBackupEligible,
            createdAt: now)
        try await database.write { db in
            guard try PasskeyRows.consumeChallenge(challenge, user: member.id, at: now, db) else {
                throw Self.passkeyTookTooLong
            }
            try PasskeyRows.insert(
                passkey, of: member.id, credential, signatureCount: data.signatureCount, db)
            try AuditRows.append(
                .passkeyAdded, by: caller.principal, from: caller.origin, subject: member.id, after: passkey.name,
                at: now, db)
        }
        return passkey
    }

    /// The passkeys of the caller's account, newest first.
    package func passkeys(by caller: Caller) async throws -> [Passkey] {
        let (member, _) = try ownSession(caller)
        return try await database.read { db in try PasskeyRows.passkeys(of: member.id, db) }
    }

    /// Removes a passkey of the caller's account.
    ///
    /// - Throws: `Refusal` with `notFound`, or `noPassword` if nobody could log in to the account any more.
    package func removePasskey(_ id: OpaqueID, password: String?, by caller: Caller) async throws {
        let member = try await confirm(password, by: caller)
        let now = wallClock.now()
        try await database.write { db in
            guard let name = try PasskeyRows.delete(id, of: member.id, db) else {
                throw Refusal(.notFound, "your account has no such passkey")
            }
            try Self.requireWayToLogIn(member.id, db)
            try AuditRows.append(
                .passkeyRemoved, by: caller.principal, from: caller.origin, subject: member.id, before: name, at: now,
                db)
        }
    }

    // MARK: Logging in

    /// Begins a log-in with a passkey, whosever it is.
    ///
    /// - Throws: `Refusal` with `notAvailable` or `tooManyAttempts`.
    package func beginPasskeyLogIn(from origin: RequestOrigin) async throws -> PasskeyRequest {
        let server = try relyingParty
        try limits.admitPasskey(from: origin.group)
        let challenge = Base64URL.text(RandomText.bytes(Self.challengeByteCount))
        let now = wallClock.now()
        try await database.write(durability: .soon) { db in
            try PasskeyRows.insertChallenge(challenge, user: nil, at: now, db)
        }
        return PasskeyRequest(challenge: challenge, relyingPartyID: server.id)
    }

    /// Logs somebody in with a passkey. It stands for both factors, because the device has asked for a fingerprint,
    /// face or PIN.
    ///
    /// - Parameters:
    ///   - assertion: the authenticator's answer to the challenge of ``beginPasskeyLogIn(from:)``.
    ///   - staysLoggedIn: whether the session outlives the browser.
    ///   - origin: where the request comes from.
    /// - Throws: `Refusal` with `passkeyNotValid`, `linkNotValid` or `accountSuspended`.
    package func logIn(
        passkey assertion: PasskeyAssertion, staysLoggedIn: Bool = false, from origin: RequestOrigin
    ) async throws -> NewSession {
        try await logIns.counting(.passkey, { _ in .success }) {
            try await attempt(assertion, staysLoggedIn: staysLoggedIn, from: origin)
        }
    }

    private func attempt(
        _ assertion: PasskeyAssertion, staysLoggedIn: Bool, from origin: RequestOrigin
    ) async throws -> NewSession {
        let (challenge, data, signed) = try relyingParty.check(assertion)
        let now = wallClock.now()
        let id = Array(assertion.credentialID.prefix(AuthenticatorData.maximumCredentialIDByteCount))
        let (isKnown, found) = try await database.write { db in
            (
                try PasskeyRows.consumeChallenge(challenge, user: nil, at: now, db), try PasskeyRows.find(id, db)
            )
        }
        guard isKnown else { throw Self.passkeyTookTooLong }
        guard let found, let key = PasskeyKey(parsing: found.key) else {
            throw RelyingParty.notValid("it is no longer registered with an account")
        }
        guard key.isValid(assertion.signature, for: signed) else {
            throw RelyingParty.notValid("its signature is wrong")
        }
        return try await database.write { [self] db in
            guard try PasskeyRows.noteUse(found.id, signatureCount: data.signatureCount, at: now, db) else {
                throw RelyingParty.notValid("a copy of it has been used; remove it from your account")
            }
            return try beginSession(found.user, isPersistent: staysLoggedIn, from: origin, at: now, db)
        }
    }

    private var relyingParty: RelyingParty {
        get throws(Refusal) {
            guard let party = settings.relyingParty else {
                throw Refusal(.notAvailable, "passkeys need a domain, and this server has none")
            }
            return party
        }
    }

    /// WebAuthn Level 2 §13.4.3: at least 16 bytes.
    private static let challengeByteCount = 32

    private static var passkeyTookTooLong: Refusal {
        Refusal(.linkNotValid, "the passkey prompt timed out; try again")
    }
}
