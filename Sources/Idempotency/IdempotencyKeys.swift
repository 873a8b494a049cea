package import Crypto
package import Database
import Foundation
package import MediaCore

/// Remembers the responses to requests that create something, so that a client whose connection broke may send the
/// request again: it is carried out once, and every repetition within ``memory`` gets the first response
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// A response may hold a secret that nobody can ask for again, such as a token. It is encrypted with a key that is made
/// of the client's text and a key of the server, so that neither the database nor a copy of it shows it.
package final class IdempotencyKeys: Sendable {
    /// The verdict about a request with a key.
    package enum Admission: Sendable, Hashable {
        /// It is new, and must be carried out; then call ``complete(_:with:)`` or ``abandon(_:)``.
        case new
        /// It was carried out before.
        case repeated(RecordedResponse)
        /// It is being carried out.
        case inProgress
        /// The key was used for another request.
        case keyOfAnotherRequest
        /// The sender has used too many keys.
        case tooMany
    }

    /// The finding of the transaction of ``admit(_:isLimited:)``.
    private enum Finding: Sendable {
        case new
        case known(fingerprint: [UInt8], response: [UInt8]?)
    }

    private struct Crowded: Error {}

    /// Time for which a response is kept.
    package static let memory = Duration.seconds(24 * 3_600)
    /// Time after which a request without a response is carried out again: the server that had begun it has stopped.
    package static let patience = Duration.seconds(60)
    /// Limit of the keys that a sender can have in ``memory``.
    package static let maximumCountPerSender = 10_000

    private let database: any SQLDatabase
    private let key: SymmetricKey
    private let wallClock: WallClock

    private init(_ database: any SQLDatabase, _ key: SymmetricKey, _ wallClock: WallClock) {
        (self.database, self.key, self.wallClock) = (database, key, wallClock)
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: the database, which several servers can share.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - key: 256 bits that are not in the database, the same on all servers that share it.
    ///   - wallClock: tells the time.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, key: SymmetricKey, wallClock: WallClock = .system
    ) async throws -> IdempotencyKeys {
        try await SQLMigrator(IdempotencySchema.schema, program: program, wallClock: wallClock).migrate(database)
        return IdempotencyKeys(database, key, wallClock)
    }

    /// Records a request unless its key is known. If two arrive at once, on any servers, exactly one counts as new.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isLimited: whether ``maximumCountPerSender`` holds for the sender.
    package func admit(_ request: IdempotentRequest, isLimited: Bool = true) async throws -> Admission {
        let now = wallClock.now()
        let digest = SQLValue.blob(digest(request))
        let finding: Finding
        do {
            finding = try await database.write { db in
                try Self.find(request, digest, isLimited: isLimited, at: now, db)
            }
        } catch is Crowded {
            return .tooMany
        }
        switch finding {
        case .new: return .new
        case .known(let fingerprint, _) where fingerprint != request.fingerprint: return .keyOfAnotherRequest
        case .known(_, nil): return .inProgress
        case .known(_, let sealed?): return .repeated(try open(sealed, of: request))
        }
    }

    private static func find(
        _ request: IdempotentRequest, _ digest: SQLValue, isLimited: Bool, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws -> Finding {
        // What is remembered no longer, but not yet deleted.
        try db.execute(
            "DELETE FROM idempotentRequest WHERE digest = ?1 AND begunAt < ?2", digest, .time(now - memory))
        let isNew = try db.exists(
            """
            INSERT INTO idempotentRequest(digest, sender, fingerprint, begunAt) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT(digest) DO NOTHING RETURNING begunAt
            """, digest, .text(request.sender), .blob(request.fingerprint), .time(now))
        if isNew {
            if isLimited, try count(request.sender, since: now - memory, db) > maximumCountPerSender { throw Crowded() }
            return .new
        }
        let isTaken = try db.exists(
            """
            UPDATE idempotentRequest SET begunAt = ?1
            WHERE digest = ?2 AND response IS NULL AND begunAt < ?3 AND fingerprint = ?4 RETURNING begunAt
            """, .time(now), digest, .time(now - patience), .blob(request.fingerprint))
        if isTaken { return .new }
        let known = try db.first(
            "SELECT fingerprint, response FROM idempotentRequest WHERE digest = ?1", [digest]
        ) { row in Finding.known(fingerprint: try row.value("fingerprint"), response: try row.optional("response")) }
        // It was there a statement ago, in the same transaction.
        return known ?? .new
    }

    private static func count(_ sender: String, since time: WallClockTime, _ db: any SQLConnection) throws -> Int {
        let count: Int? = try db.firstValue(
            """
            SELECT count(*) FROM (SELECT 1 FROM idempotentRequest WHERE sender = ?1 AND begunAt >= ?2 LIMIT ?3) AS keys
            """, .text(sender), .time(time), SQLValue(maximumCountPerSender + 1))
        return count ?? 0
    }

    /// Keeps the response to a request that was ``Admission/new``.
    package func complete(_ request: IdempotentRequest, with response: RecordedResponse) async throws {
        let sealed = SQLValue.blob(try seal(response, of: request))
        let digest = SQLValue.blob(digest(request))
        try await database.write { db in
            try db.execute("UPDATE idempotentRequest SET response = ?1 WHERE digest = ?2", sealed, digest)
        }
    }

    /// Forgets a request that was ``Admission/new`` and has changed nothing, so that it may be repeated.
    package func abandon(_ request: IdempotentRequest) async throws {
        let digest = SQLValue.blob(digest(request))
        try await database.write { db in
            try db.execute("DELETE FROM idempotentRequest WHERE digest = ?1 AND response IS NULL", digest)
        }
    }

    /// Deletes what is older than ``memory``. Called once an hour.
    package func maintain() async throws {
        let time = wallClock.now() - Self.memory
        try await database.write { db in
            try db.execute("DELETE FROM idempotentRequest WHERE begunAt < ?1", .time(time))
        }
    }

    // MARK: Secrets

    private static let digestPurpose = "antena idempotency digest"
    private static let sealingPurpose = "antena idempotency sealing"

    private static func text(_ purpose: String, _ request: IdempotentRequest) -> [UInt8] {
        // No field but the last can have a line break, and a sender has no space.
        let sender = request.limits.isEmpty ? request.sender : "\(request.sender) \(request.limits)"
        return Array("\(purpose)\n\(sender)\n\(request.operation)\n\(request.key)".utf8)
    }

    private func digest(_ request: IdempotentRequest) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Self.text(Self.digestPurpose, request), using: key))
    }

    private func sealingKey(_ request: IdempotentRequest) -> SymmetricKey {
        SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Self.text(Self.sealingPurpose, request), using: key))
    }

    private func seal(_ response: RecordedResponse, of request: IdempotentRequest) throws -> [UInt8] {
        let box = try AES.GCM.seal(try JSONEncoder().encode(response), using: sealingKey(request))
        // The nonce has the standard length, with which there is always a combined form.
        return box.combined.map { Array($0) } ?? []
    }

    private func open(_ sealed: [UInt8], of request: IdempotentRequest) throws -> RecordedResponse {
        let bytes = try AES.GCM.open(try AES.GCM.SealedBox(combined: sealed), using: sealingKey(request))
        return try JSONDecoder().decode(RecordedResponse.self, from: bytes)
    }
}
