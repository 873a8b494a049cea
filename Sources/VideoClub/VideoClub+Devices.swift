package import Accounts
package import Database
import MediaCore

extension VideoClub {
    /// Registers a device. One that a token registers ends with the token.
    ///
    /// - Parameters:
    ///   - name: what its owner calls it.
    ///   - publicKey: its X25519 key.
    ///   - caller: the member.
    /// - Returns: the device, and its credential, which is shown once.
    /// - Throws: `Refusal` with `loginNeeded`, `invalidField` or `tooMany`.
    package func addDevice(
        _ name: String, publicKey: [UInt8], by caller: Caller
    ) async throws -> (device: ClubDevice, secret: Secret) {
        let member = try Self.member(caller)
        let name = UntrustedText.stripped(name, maximumCharacterCount: ClubDevice.maximumNameLength + 1)
        guard !name.allSatisfy(\.isWhitespace), name.count <= ClubDevice.maximumNameLength else {
            throw Refusal(
                .invalidField, "a device's name has 1 to \(ClubDevice.maximumNameLength) characters", field: "name")
        }
        guard publicKey.count == ClubDevice.publicKeyByteCount else {
            throw Refusal(
                .invalidField, "a public key has \(ClubDevice.publicKeyByteCount) bytes (X25519)", field: "publicKey")
        }
        let device = ClubDevice(
            number: 0, id: OpaqueID(), user: member.id, name: name, publicKey: publicKey, createdAt: wallClock.now())
        let secret = Secret(.offlineDevice)
        try await database.write { db in
            try DeviceRows.insert(device, secret, with: caller.principal.token, db)
            try Accounts.note(
                .offlineDeviceAdded, by: caller, about: member.id, after: Self.text(device.id, name),
                at: device.createdAt, db)
        }
        return (device, secret)
    }

    /// A member's devices, newest first; there are few.
    package func devices(of user: UserID) async throws -> [ClubDevice] {
        let now = wallClock.now()
        return try await database.read { db in try DeviceRows.devices(of: user, at: now, db) }
    }

    /// Removes a device; its credential and its downloads end at once.
    ///
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func removeDevice(_ id: OpaqueID, by caller: Caller) async throws {
        let (member, now) = (try Self.member(caller), wallClock.now())
        try await database.write { db in
            guard let name = try DeviceRows.delete(id, of: member.id, db) else {
                throw Refusal(.notFound, "there is no such device")
            }
            try Accounts.note(
                .offlineDeviceRemoved, by: caller, about: member.id, before: Self.text(id, name), at: now, db)
        }
    }

    /// Removes all devices of a member, such as when somebody else may have registered one. In the caller's
    /// transaction.
    package static func removeDevices(of user: UserID, _ db: any SQLConnection) throws {
        try DeviceRows.deleteAll(of: user, db)
    }

    /// The device with a credential, whose use is noted.
    ///
    /// - Returns: `nil` for a credential of no device, or of an account that cannot be used.
    package func device(with secret: Secret) async throws -> ClubDevice? {
        let (digest, now) = (secret.digest, wallClock.now())
        let found = try await database.read { db in try DeviceRows.find(digest, at: now, db) }
        guard let found else { return nil }
        if found.lastUsedAt.map({ $0 <= now - ClubDevice.noteInterval }) ?? true {
            try await database.write { db in try DeviceRows.noteUse(found.id, at: now, db) }
        }
        return found
    }

    /// The text of the audit log.
    private static func text(_ id: OpaqueID, _ name: String) -> String { "\(id): \(name)" }
}
