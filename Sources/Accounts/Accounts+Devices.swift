import Database
import MediaCore

extension Accounts {
    /// Begins the log-in of a device without a keyboard (RFC 8628 §3.1).
    ///
    /// - Throws: `Refusal` with `tooManyAttempts`.
    package func authorizeDevice(from origin: RequestOrigin) async throws -> DeviceAuthorization {
        try limits.admitDevice(from: origin.group)
        let now = wallClock.now()
        let authorization = DeviceAuthorization(
            deviceCode: Secret(.device), userCode: UserCode(), lifetime: DeviceGrantRows.lifetime,
            interval: DeviceGrantRows.interval)
        try await database.write { db in
            try DeviceGrantRows.insert(authorization, from: origin, at: now, db)
        }
        return authorization
    }

    /// The device that shows a code, for the person who has typed it: they have to recognize it before they approve.
    ///
    /// - Throws: `Refusal` with `linkNotValid` or `tooManyAttempts`.
    package func device(code: String, by caller: Caller) async throws -> PendingDevice {
        _ = try ownSession(caller)
        try limits.admitCode(from: caller.origin.group)
        guard let code = UserCode(parsing: code) else { throw Self.userCodeNotValid }
        let now = wallClock.now()
        guard let device = try await database.read({ db in try DeviceGrantRows.pending(code, at: now, db) }) else {
            throw Self.userCodeNotValid
        }
        limits.codeSucceeded(from: caller.origin.group)
        return device
    }

    /// Logs a device in to the caller's account, or refuses it.
    ///
    /// - Throws: `Refusal` with `linkNotValid` if the code is wrong, has expired, or was decided on.
    package func decideOnDevice(code: String, approves: Bool, by caller: Caller) async throws {
        let (member, _) = try ownSession(caller)
        try limits.admitCode(from: caller.origin.group)
        guard let code = UserCode(parsing: code) else { throw Self.userCodeNotValid }
        let now = wallClock.now()
        try await database.write { db in
            let state = approves ? DeviceGrantRows.State.approved : .denied
            guard try DeviceGrantRows.decide(code, state, by: member.id, at: now, db) else {
                throw Self.userCodeNotValid
            }
            try AuditRows.append(
                approves ? .deviceApproved : .deviceDenied, by: caller.principal, from: caller.origin,
                subject: member.id, at: now, db)
        }
        limits.codeSucceeded(from: caller.origin.group)
    }

    private static var userCodeNotValid: Refusal {
        Refusal(
            .linkNotValid, "the code is not valid: check it on the screen of the device, or let it show a new one",
            fields: ["code"])
    }

    /// Answers a device that asks whether somebody has approved it (RFC 8628 §3.4).
    ///
    /// Throws `Refusal` with `tooManyAttempts` for an address that asks too often.
    ///
    /// - Parameters:
    ///   - deviceCode: the text of ``DeviceAuthorization/deviceCode``.
    ///   - origin: where the device asks from; its session is listed under it.
    package func pollDevice(_ deviceCode: String, from origin: RequestOrigin) async throws -> DevicePoll {
        try limits.admitDevicePoll(from: origin.group)
        guard let secret = Secret(.device, parsing: deviceCode) else { return .expired }
        let now = wallClock.now()
        return try await database.write { [self] db in
            guard let grant = try DeviceGrantRows.poll(secret, at: now, db), grant.expiresAt > now else {
                return .expired
            }
            if grant.isTooEarly { return .slowDown(grant.interval) }
            switch grant.state {
            case .pending: return .pending
            case .denied: return .denied
            case .approved:
                guard let user = grant.user, try DeviceGrantRows.consume(grant.id, db) else { return .expired }
                // The account may have been suspended after the approval.
                guard try AccountRows.required(user, db).isUsable(at: now) else { return .denied }
                return .approved(try beginSession(user, isPersistent: true, from: origin, at: now, db))
            }
        }
    }
}
