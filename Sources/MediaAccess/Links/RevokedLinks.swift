import Synchronization

/// The links that are revoked, as the database said less than a second ago.
///
/// A question about a link is answered from memory; once a second somebody's question waits for the database. While the
/// database does not answer, what it said last goes on holding: nobody can revoke anything then, and viewers stay.
actor RevokedLinks {
    private struct Known {
        var ids: Set<String>
        /// The time at which the question was sent to the database.
        var askedAt: Duration
    }

    /// The rest of a second is for the answer of the last request.
    static let maximumAge = Duration.milliseconds(900)

    private nonisolated let known = Mutex<Known?>(nil)
    private let ask: @Sendable () async throws -> Set<String>
    private nonisolated let uptime: @Sendable () -> Duration
    /// The question that is on its way; everybody waits for the same.
    private var question: Task<Void, Never>?
    /// Whether the last question was not answered.
    private nonisolated let isAway = Atomic(false)

    /// - Parameters:
    ///   - uptime: the time since some start, independent of the wall clock.
    ///   - ask: asks the database.
    init(uptime: @escaping @Sendable () -> Duration, ask: @escaping @Sendable () async throws -> Set<String>) {
        (self.uptime, self.ask) = (uptime, ask)
    }

    /// Whether a link is revoked; `nil` if the database has to be asked first.
    nonisolated func contains(_ id: String) -> Bool? {
        let now = uptime()
        return known.withLock { known in
            guard let known, now - known.askedAt < Self.maximumAge else { return nil }
            return known.ids.contains(id)
        }
    }

    /// Whether a link is revoked. Asks the database if that has not been done for a second.
    ///
    /// - Returns: `nil` if the database has never answered.
    func containsAfterAsking(_ id: String) async -> Bool? {
        if let answer = contains(id) { return answer }
        let question = self.question ?? begin()
        // Nobody waits a second time for a database that is away.
        if !isAway.load(ordering: .relaxed) || known.withLock({ $0 == nil }) { await question.value }
        return known.withLock { $0?.ids.contains(id) }
    }

    /// Notes what this server has revoked.
    nonisolated func note(_ id: String) {
        known.withLock { _ = $0?.ids.insert(id) }
    }

    private func begin() -> Task<Void, Never> {
        let task = Task { await refresh() }
        question = task
        return task
    }

    private func refresh() async {
        let askedAt = uptime()
        do {
            let ids = try await ask()
            // What was revoked here while the question was on its way may be missing. It is asked for again in time,
            // because the age counts from the question.
            known.withLock { $0 = Known(ids: ids, askedAt: askedAt) }
            isAway.store(false, ordering: .relaxed)
        } catch {
            isAway.store(true, ordering: .relaxed)
        }
        question = nil
    }
}
