import Accounts
import HTTPEndpoints
import Idempotency
import Logging
import LogMetadata
import MediaCore
import ServerSettings
import ServiceLifecycle

/// Shows the link for the first administrator, and removes what has expired.
struct AccountsService: Service {
    let accounts: Accounts
    /// `nil` for a server that keeps no keys of requests.
    let idempotencyKeys: IdempotencyKeys?
    let configuration: ServerConfiguration
    /// The port of the HTTP listener; `nil` while it does not listen.
    let httpPort: @Sendable () -> Int?
    let steadiness: ClockSteadiness
    let logger: Logger

    private static let interval = Duration.seconds(3_600)
    private static let suspensionInterval = Duration.seconds(60)
    private static let portInterval = Duration.milliseconds(50)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await showSetUpLink()
            await withDiscardingTaskGroup { group in
                group.addTask { await maintain() }
                group.addTask {
                    await RefreshLoop.sweep(
                        every: Self.suspensionInterval, while: steadiness, accounts.endSuspensions
                    ) { error in
                        logger.warning(
                            "expired suspensions could not be lifted; will retry", metadata: [.error: "\(error)"])
                    }
                }
            }
        }
    }

    private func maintain() async {
        await RefreshLoop.sweep(every: Self.interval, while: steadiness) {
            try await accounts.maintain()
            try await idempotencyKeys?.maintain()
        } onFailure: { error in
            logger.warning(
                "expired sessions and idempotency keys could not be removed; will retry", metadata: [.error: "\(error)"]
            )
        }
    }

    /// The operator who starts the server sees its log, so the link goes there; it can be used once, within a day.
    private func showSetUpLink() async {
        // A server without a listener does not start.
        while httpPort() == nil { guard (try? await Task.sleep(for: Self.portInterval)) != nil else { return } }
        do {
            guard let link = try await accounts.setUpLink() else { return }
            logger.notice(
                "there is no administrator yet; open the link to create one, or run: antena user add NAME --role administrator",
                metadata: [.link: "\(address)\(AccountPath.setUp)?\(AccountPath.linkParameter)=\(link.secret.text)"])
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning("link for the first administrator could not be created", metadata: [.error: "\(error)"])
        }
    }

    private var address: String {
        if let address = configuration.publicAddress { return address.origin }
        let host = ["0.0.0.0", "::"].contains(configuration.http.host) ? "127.0.0.1" : configuration.http.host
        let shown = host.contains(":") ? "[\(host)]" : host
        return "http://\(shown):\(httpPort() ?? configuration.http.port)"
    }
}
