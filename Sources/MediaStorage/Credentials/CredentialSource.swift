package import MediaCore
package import NIOPosix
package import OutgoingHTTP

/// Finds credentials and keeps them fresh.
///
/// The places are asked in this order, and the first one that has any is used: environment variables, the shared file,
/// the role of the container, the role of the machine.
package actor CredentialSource {
    private let environment: [String: String]
    private let threads: NIOThreadPool
    private let wallClock: WallClock
    private let roleExchange: BoundedExchange
    private var current: StoreCredentials?
    /// When the credentials are looked up again although they have not expired.
    private var renewal = WallClockTime.distantFuture
    private var isRefreshing = false
    /// Calls that wait for a refresh. The store's limit on requests bounds them.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Credentials are replaced this long before they expire. Roles offer the next ones five minutes before.
    private static let expirationMargin = Duration.seconds(300)
    /// A shared file is read again after this time: somebody may have replaced the keys in it.
    private static let fileInterval = Duration.seconds(300)
    /// A role's service runs on the machine or next to it, and answers with less than a page.
    package static let roleExchange = BoundedExchange(timeLimit: .seconds(5), maximumByteCount: 64 << 10)
    /// A refresh that fails while the credentials still work is tried again after this time.
    private static let retryInterval = Duration.seconds(10)

    /// Creates a source, which reads nothing yet.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - threads: Running threads, on which files are read.
    ///   - wallClock: Tells when credentials expire.
    ///   - roleExchange: Limits each question to the service of a role.
    package init(
        environment: [String: String], threads: NIOThreadPool, wallClock: WallClock = .system,
        roleExchange: BoundedExchange = roleExchange
    ) {
        self.roleExchange = roleExchange
        self.environment = environment
        self.threads = threads
        self.wallClock = wallClock
    }

    /// Valid credentials.
    ///
    /// One call at a time refreshes them. Meanwhile others get the former ones as long as they are valid, or wait.
    ///
    /// - Throws: ``MediaStorageError`` with `noCredentials`.
    package func credentials() async throws -> StoreCredentials {
        while true {
            let now = wallClock.now()
            let valid = current.flatMap { isValid($0, at: now) ? $0 : nil }
            if let valid, now < renewal || isRefreshing { return valid }
            if !isRefreshing { return try await refresh(keeping: valid) }
            await withCheckedContinuation { waiting.append($0) }
            try Task.checkCancellation()
        }
    }

    /// Has the credentials looked up again, because the store refused them.
    ///
    /// - Parameter refused: What the store refused; nothing happens if there are others by now.
    package func invalidate(_ refused: StoreCredentials) {
        if current == refused { current = nil }
    }

    private func isValid(_ credentials: StoreCredentials, at time: WallClockTime) -> Bool {
        credentials.expiration.map { time < $0 } ?? true
    }

    /// - Parameter valid: What is returned if the refresh fails; `nil` if there is nothing valid.
    private func refresh(keeping valid: StoreCredentials?) async throws -> StoreCredentials {
        isRefreshing = true
        defer {
            isRefreshing = false
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
        do {
            let (found, isFile) = try await lookUp()
            current = found
            renewal =
                found.expiration.map { $0 - Self.expirationMargin }
                ?? (isFile ? wallClock.now() + Self.fileInterval : .distantFuture)
            // Roles hand out credentials that end soon, too; they must not be asked again with every request.
            renewal = max(renewal, wallClock.now() + Self.retryInterval)
            return found
        } catch {
            guard let valid else { throw error }
            renewal = wallClock.now() + Self.retryInterval
            return valid
        }
    }

    private func lookUp() async throws -> (credentials: StoreCredentials, isFile: Bool) {
        if let found = try EnvironmentCredentials.credentials(in: environment) { return (found, false) }
        if let file = SharedCredentialsFile(environment: environment) {
            if let found = try await threads.blocking({ try file.credentials() }) { return (found, true) }
        }
        if let role = try ContainerRole(environment: environment, threads: threads, exchange: roleExchange) {
            return (try await role.credentials(), false)
        }
        if let role = InstanceRole(environment: environment, exchange: roleExchange) {
            return (try await role.credentials(), false)
        }
        throw MediaStorageError(
            .noCredentials,
            """
            there are no credentials for the object store; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write \
            them to ~/.aws/credentials
            """)
    }
}
