import Crypto
package import IdentityProviders
import Logging
import LogMetadata
import NIOCore
import ServiceLifecycle

/// The identity providers of the server, with the connections to them.
package struct IdentityService: Service {
    package let directory: ProviderDirectory
    private let transport: HTTPProviderTransport

    /// - Parameters:
    ///   - providers: the providers of the configuration.
    ///   - key: seals what browsers keep.
    ///   - hasAddress: whether the operator has named the address of the site, to which providers send visitors back.
    ///   - group: the event loops of the connections.
    ///   - logger: receives warnings about log-ins that do not succeed.
    init(
        _ providers: [IdentityProvider], key: SymmetricKey, hasAddress: Bool, group: any EventLoopGroup, logger: Logger
    ) {
        transport = HTTPProviderTransport(group: group)
        directory = ProviderDirectory(providers, transport: transport, key: key) { provider, error in
            logger.warning(
                "log-in with an identity provider failed",
                metadata: [.identityProvider: "\(provider)", .error: "\(error.reason)"])
        }
        if !providers.isEmpty, !hasAddress {
            logger.warning("identity providers are disabled; set --public-url to enable them")
        }
    }

    package func run() async throws {
        try? await gracefulShutdown()
        await transport.close()
    }
}
