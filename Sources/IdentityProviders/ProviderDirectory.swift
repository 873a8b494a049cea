package import Crypto
package import MediaCore
import Synchronization

/// The identity providers of a server, which a reload of the configuration can change.
package final class ProviderDirectory: Sendable {
    private let transport: any ProviderTransport
    private let wallClock: WallClock
    private let onFailure: @Sendable (_ provider: String, ProviderError) -> Void
    private let clients = Mutex<[ProviderClient]>([])
    /// Seals what browsers keep during a log-in.
    package let seal: BrowserSeal

    /// - Parameters:
    ///   - providers: the providers, in the order of the site's buttons.
    ///   - transport: sends the requests.
    ///   - key: 256 bits, the same on all servers behind one address.
    ///   - wallClock: tells the time of expiries.
    ///   - onFailure: called for each log-in that did not succeed, for the log.
    package init(
        _ providers: [IdentityProvider], transport: any ProviderTransport, key: SymmetricKey,
        wallClock: WallClock = .system,
        onFailure: @escaping @Sendable (_ provider: String, ProviderError) -> Void = { _, _ in }
    ) {
        (self.transport, self.wallClock, self.onFailure) = (transport, wallClock, onFailure)
        seal = BrowserSeal(key: key)
        use(providers)
    }

    /// Reports a log-in that did not succeed.
    ///
    /// - Parameters:
    ///   - error: the reason.
    ///   - provider: the name of the provider in the address, which anybody can invent.
    package func note(_ error: ProviderError, of provider: String) { onFailure(provider, error) }

    /// The time by which expiries are judged.
    package var now: WallClockTime { wallClock.now() }

    /// Replaces the providers. What is known of those that are the same stays.
    package func use(_ providers: [IdentityProvider]) {
        clients.withLock { clients in
            let before = clients
            clients = providers.prefix(IdentityProvider.maximumCount).map { provider in
                before.first { $0.provider == provider }
                    ?? ProviderClient(provider, transport: transport, wallClock: wallClock)
            }
        }
    }

    /// The providers, in the order of the site's buttons.
    package var providers: [IdentityProvider] { clients.withLock { $0.map(\.provider) } }

    /// - Throws: ``ProviderError`` with `unknown`.
    package func client(_ id: String) throws(ProviderError) -> ProviderClient {
        guard let client = clients.withLock({ $0.first { $0.provider.id == id } }) else {
            throw ProviderError(.unknown, "there is no such provider")
        }
        return client
    }
}
