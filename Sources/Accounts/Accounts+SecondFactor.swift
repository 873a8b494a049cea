import Database
import MediaCore

extension Accounts {
    /// Whether the caller's account has a second factor.
    package func secondFactor(of caller: Caller) async throws -> SecondFactorStatus {
        let (member, _) = try ownSession(caller)
        return try await database.read { db in
            SecondFactorStatus(
                isOn: try SecondFactorRows.state(of: member.id, db)?.isConfirmed ?? false,
                recoveryCodeCount: try SecondFactorRows.recoveryCodeCount(of: member.id, db))
        }
    }

    /// Begins to set up an authenticator app. Nothing is asked for at log-ins before
    /// ``confirmSecondFactor(_:by:)``.
    ///
    /// - Parameters:
    ///   - password: the account's password.
    ///   - caller: somebody who has logged in.
    /// - Throws: `Refusal` with `conflict` if there is a second factor.
    package func beginSecondFactor(password: String?, by caller: Caller) async throws -> SecondFactorSetUp {
        let member = try await confirm(password, by: caller)
        let code = TimeBasedCode()
        let sealed = try SealedKey.seal(code, of: member.id, with: sealingKey)
        try await database.write { db in
            if let state = try SecondFactorRows.state(of: member.id, db), state.isConfirmed {
                throw Refusal(.conflict, "your account has a second factor; turn it off first")
            }
            try SecondFactorRows.begin(sealed, of: member.id, db)
        }
        return SecondFactorSetUp(code: code, uri: code.uri(issuer: settings.issuer, username: member.username))
    }

    /// Turns the second factor on.
    ///
    /// - Parameters:
    ///   - code: a code of the app, which shows that it has the key.
    ///   - caller: somebody who has logged in.
    /// - Returns: the recovery codes, which are not stored.
    /// - Throws: `Refusal` with `wrongCode`, `conflict` or `tooManyAttempts`.
    package func confirmSecondFactor(_ code: String, by caller: Caller) async throws -> [Secret] {
        let (member, _) = try ownSession(caller)
        try limits.admitCode(from: caller.origin.group)
        let now = wallClock.now()
        let codes = try await database.write { [sealingKey] db in
            guard let state = try SecondFactorRows.state(of: member.id, db), !state.isConfirmed else {
                throw Refusal(.conflict, "no set-up of a second factor has begun; begin again")
            }
            let key = try SealedKey.open(state.sealedKey, of: member.id, with: sealingKey)
            guard let step = key.step(of: code, at: now) else { throw Self.wrongCode }
            try SecondFactorRows.confirm(member.id, step: step, at: now, db)
            let codes = Self.makeRecoveryCodes()
            try SecondFactorRows.replaceRecoveryCodes(codes, of: member.id, db)
            try AuditRows.append(
                .secondFactorOn, by: caller.principal, from: caller.origin, subject: member.id, at: now, db)
            return codes
        }
        limits.codeSucceeded(from: caller.origin.group)
        return codes
    }

    /// Turns the second factor off, and deletes the recovery codes.
    package func turnOffSecondFactor(password: String?, by caller: Caller) async throws {
        let member = try await confirm(password, by: caller)
        let now = wallClock.now()
        try await database.write { db in
            try SecondFactorRows.delete(of: member.id, db)
            try AuditRows.append(
                .secondFactorOff, by: caller.principal, from: caller.origin, subject: member.id, at: now, db)
        }
    }

    /// Replaces all recovery codes.
    ///
    /// - Returns: the new ones, which are not stored.
    /// - Throws: `Refusal` with `conflict` if there is no second factor.
    package func replaceRecoveryCodes(password: String?, by caller: Caller) async throws -> [Secret] {
        let member = try await confirm(password, by: caller)
        let now = wallClock.now()
        return try await database.write { db in
            guard try SecondFactorRows.state(of: member.id, db)?.isConfirmed == true else {
                throw Refusal(.conflict, "your account has no second factor; set one up first")
            }
            let codes = Self.makeRecoveryCodes()
            try SecondFactorRows.replaceRecoveryCodes(codes, of: member.id, db)
            try AuditRows.append(
                .recoveryCodesCreated, by: caller.principal, from: caller.origin, subject: member.id, at: now, db)
            return codes
        }
    }

    /// Checks a code of the app or a recovery code in the transaction of the caller, and uses it up.
    ///
    /// - Returns: the reason why it is not accepted; `nil` if it is. It does not throw it, because that would undo the
    ///   counting of wrong codes.
    func checkCode(
        _ text: String, of user: UserID, from origin: RequestOrigin, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Refusal? {
        guard let state = try SecondFactorRows.state(of: user, db), state.isConfirmed else {
            return Refusal(.linkNotValid, "the second factor was turned off meanwhile; log in again")
        }
        // A pause that is longer than any was written while the server's clock was wrong.
        guard now >= state.nextTryAt || state.nextTryAt > now + SecondFactorRows.maximumPause else {
            return .tooManyAttempts("there were too many wrong codes", retryAfter: state.nextTryAt - now)
        }
        if let recovery = Secret(.recoveryCode, parsing: text) {
            if try SecondFactorRows.consume(recovery, of: user, db) {
                try AuditRows.append(.recoveryCodeUsed, by: .anonymous, from: origin, subject: user, at: now, db)
                return nil
            }
        } else {
            do {
                let key = try SealedKey.open(state.sealedKey, of: user, with: sealingKey)
                if let step = key.step(of: text, at: now), try SecondFactorRows.consume(step: step, of: user, db) {
                    return nil
                }
            } catch let error as Refusal {
                return error
            }
        }
        try SecondFactorRows.noteFailure(of: user, at: now, db)
        return Self.wrongCode
    }

    private static var wrongCode: Refusal {
        Refusal(.wrongCode, "the code is wrong, or it was used before; wait for the next one", fields: ["code"])
    }

    private static func makeRecoveryCodes() -> [Secret] {
        (0..<SecondFactorRows.recoveryCodeCount).map { _ in Secret(.recoveryCode) }
    }
}
