import MediaCore

/// The keys of those who make tokens: fixed ones, and a set that is fetched and changes (rotation).
///
/// While the place of the set does not answer, the keys that it had go on being used.
package actor TokenKeySource {
    private let fixed: [TokenKey]
    private let fetch: (@Sendable () async throws -> [UInt8])?
    private let uptime: @Sendable () -> Duration
    private var fetched: [TokenKey] = []
    private var triedAt: Duration?
    private var question: Task<Void, Never>?

    /// The time after which the set is fetched again.
    package static let maximumAge = Duration.seconds(600)
    /// The least time between two attempts, so that strangers' tokens with made-up key IDs cause no requests.
    package static let minimumInterval = Duration.seconds(30)

    /// - Parameters:
    ///   - fixed: keys that are there always.
    ///   - uptime: the time since some start; the system's if `nil`.
    ///   - fetch: fetches the set; `nil` if there is none.
    package init(
        fixed: [TokenKey], uptime: (@Sendable () -> Duration)? = nil,
        fetch: (@Sendable () async throws -> [UInt8])? = nil
    ) {
        (self.fixed, self.uptime, self.fetch) = (fixed, uptime ?? ContinuousClock().elapsed(), fetch)
    }

    /// The keys for a token.
    ///
    /// - Parameter header: what the token says; an unknown key ID has the set fetched again.
    package func keys(for header: TokenVerifier.Header) async -> [TokenKey] {
        guard let fetch else { return fixed }
        let isKnown = (fixed + fetched).contains { key in
            key.algorithm == header.algorithm && (key.id == nil || header.keyID == nil || key.id == header.keyID)
        }
        let age = triedAt.map { uptime() - $0 }
        if let question {
            // The set is on its way; whose key is known need not wait for it.
            if !isKnown { await question.value }
        } else if age.map({ $0 >= (isKnown ? Self.maximumAge : Self.minimumInterval) }) ?? true {
            triedAt = uptime()
            let question = Task { await load(fetch) }
            self.question = question
            await question.value
        }
        return fixed + fetched
    }

    private func load(_ fetch: @Sendable () async throws -> [UInt8]) async {
        if let text = try? await fetch(), let keys = try? await TokenKey.set(text) { fetched = keys }
        question = nil
    }
}
