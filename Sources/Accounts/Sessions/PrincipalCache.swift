import Synchronization

/// Recently resolved sessions and tokens, so that a page with many requests asks the database once.
///
/// An entry is used for less than a second after the question was sent, so that what another server has revoked is dead
/// within a second; what this server revokes is forgotten at once.
final class PrincipalCache: Sendable {
    private struct Entry {
        var principal: Principal
        var askedAt: Duration
    }

    /// The rest of the second is for the answer of the last request.
    static let maximumAge = Duration.milliseconds(900)
    /// Entries of about 500 bytes. When there are more, all are forgotten.
    private static let maximumCount = 10_000

    private let entries = Mutex<[SecretDigest: Entry]>([:])

    /// - Parameter now: the time since some start, independent of the wall clock.
    func principal(_ digest: SecretDigest, now: Duration) -> Principal? {
        entries.withLock { entries in
            guard let entry = entries[digest] else { return nil }
            guard now - entry.askedAt < Self.maximumAge else {
                entries[digest] = nil
                return nil
            }
            return entry.principal
        }
    }

    /// - Parameter askedAt: the time at which the question was sent to the database.
    func note(_ principal: Principal, _ digest: SecretDigest, askedAt: Duration) {
        entries.withLock { entries in
            if entries.count >= Self.maximumCount { entries = [:] }
            entries[digest] = Entry(principal: principal, askedAt: askedAt)
        }
    }

    /// Forgets everything about an account.
    func forget(_ user: UserID) {
        entries.withLock { entries in entries = entries.filter { $0.value.principal.member?.id != user } }
    }
}
