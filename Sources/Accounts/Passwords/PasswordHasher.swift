import MediaCore
package import NIOPosix
import Synchronization

/// Computes password hashes on threads of its own, a few at a time.
///
/// Each computation takes 32 MiB. A flood of log-ins therefore has a bound: so many are computed at once as there are
/// threads, so many wait, and all others are refused at once.
package final class PasswordHasher: Sendable {
    /// The result of a check.
    enum Verdict: Sendable, Hashable {
        case wrong
        case right
        /// The password is right, and its hash has older parameters: store this one instead.
        case rightWithNewHash(PasswordHash)
    }

    package let parameters: ScryptParameters
    private let threads: NIOThreadPool
    private let maximumPendingCount: Int
    private let pendingCount = Atomic(0)
    private let computations = Atomic(0)
    /// Compared with if there is no account, so that the answer takes as long.
    private let decoy: PasswordHash

    /// Computations that are running or waiting.
    package static let standardMaximumPendingCount = 16
    /// The time after which a client that was refused should try again.
    private static let retryDelay = Duration.seconds(2)

    /// - Parameters:
    ///   - threads: the threads that compute; their number is that of computations at once. Nothing else should run on
    ///     them. The caller starts and ends them.
    ///   - parameters: the cost of new hashes.
    ///   - maximumPendingCount: the number of computations that run or wait, before others are refused.
    package init(
        threads: NIOThreadPool, parameters: ScryptParameters = .ofThisBuild,
        maximumPendingCount: Int = PasswordHasher.standardMaximumPendingCount
    ) {
        self.threads = threads
        self.parameters = parameters
        self.maximumPendingCount = maximumPendingCount
        decoy = PasswordHash(matchingNothing: parameters)
    }

    /// Number of computations since the start, for metrics.
    package var computationCount: Int { computations.load(ordering: .relaxed) }

    /// Hashes a new password.
    ///
    /// - Throws: `Refusal` with `busy`.
    package func hash(_ password: Password) async throws -> PasswordHash {
        try await computing { [parameters] in try PasswordHash(of: password, parameters) }
    }

    /// Checks a password. It takes the same time without a hash or a password.
    ///
    /// - Parameters:
    ///   - password: `nil` for a text that no password is.
    ///   - hash: `nil` if there is no such account, or it has no password.
    /// - Throws: `Refusal` with `busy`.
    func verify(_ password: Password?, against hash: PasswordHash?) async throws -> Verdict {
        let matches = try await computing { [decoy] in
            let isRight = try (hash ?? decoy).matches(password ?? Self.decoyPassword)
            return isRight && hash != nil && password != nil
        }
        guard matches, let hash, let password else { return .wrong }
        // A hash of the standard cost stays, also where a debug build opens the database of a release build.
        guard hash.parameters != parameters, hash.parameters != .standard else { return .right }
        // Only after the right password, which is no secret to its owner.
        guard let upgraded = try? await self.hash(password) else { return .right }
        return .rightWithNewHash(upgraded)
    }

    private static let decoyPassword: Password = {
        guard let password = Password(RandomText.identifier()) else { preconditionFailure("letters are a password") }
        return password
    }()

    private func computing<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        defer { pendingCount.subtract(1, ordering: .relaxed) }
        guard pendingCount.add(1, ordering: .relaxed).newValue <= maximumPendingCount else {
            throw Refusal(
                .busy, "the server is busy checking log-ins; try again in 2 seconds",
                retryAfter: Self.retryDelay)
        }
        computations.add(1, ordering: .relaxed)
        return try await threads.runIfActive(body)
    }
}
