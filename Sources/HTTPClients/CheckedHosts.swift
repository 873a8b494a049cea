package import AsyncHTTPClient
package import Foundation
import LibraryCore
import NIOCore
package import NIOSSL

/// Connects to the hosts of addresses that somebody else has chosen. The resolved address of a host is checked and then
/// used for the connection, so that a second look-up with another result (DNS rebinding) cannot bypass the policy.
package struct CheckedHosts: Sendable {
    var policy: AddressPolicy
    private let resolver: HostResolver
    var trustRoots: NIOSSLTrustRoots?

    /// - Parameters:
    ///   - policy: the addresses that hosts may have.
    ///   - resolver: finds the addresses.
    ///   - trustRoots: the certificates that hosts are trusted for; `nil` for those of the system.
    package init(
        policy: AddressPolicy, resolver: HostResolver = HostResolver(), trustRoots: NIOSSLTrustRoots? = nil
    ) {
        (self.policy, self.resolver, self.trustRoots) = (policy, resolver, trustRoots)
    }

    /// Whether hosts may be in the network of the server, and have addresses without encryption.
    package var allowsPrivateAddresses: Bool {
        switch policy {
        case .anyAddress: true
        case .publicAddressesOnly: false
        }
    }

    /// A client for one request, which follows no redirects. The caller shuts it down.
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - host: its host, not percent-encoded.
    ///   - scheme: its scheme, in lower case.
    ///   - timeout: the time limits of the connection.
    /// - Throws: `LibraryError` if the policy does not allow the address; `ResolutionFailure`.
    package func client(
        for url: URL, host: String, scheme: String, timeout: HTTPClient.Configuration.Timeout
    ) async throws -> HTTPClient {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let address = try await resolve(name, port: url.port ?? (scheme == "https" ? 443 : 80))
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, timeout: timeout)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.dnsOverride = [host: address]
        if let trustRoots {
            var security = TLSConfiguration.makeClientConfiguration()
            security.trustRoots = trustRoots
            configuration.tlsConfiguration = security
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Makes a client for one request, and shuts it down when `body` has ended.
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - host: its host, not percent-encoded.
    ///   - scheme: its scheme, in lower case.
    ///   - timeLimit: the limit of the connection, and of silence on it.
    ///   - body: what is done with the client, which is shut down after it.
    /// - Throws: as ``client(for:host:scheme:timeout:)`` and `body` do.
    package func withClient<Result: Sendable>(
        for url: URL, host: String, scheme: String, timeLimit: Duration, _ body: (HTTPClient) async throws -> Result
    ) async throws -> Result {
        let limit = TimeAmount(timeLimit)
        let client = try await client(for: url, host: host, scheme: scheme, timeout: .init(connect: limit, read: limit))
        do {
            let result = try await body(client)
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// - Returns: the first address of the host, if the policy allows all of its addresses.
    private func resolve(_ host: String, port: Int) async throws -> String {
        let addresses = try await resolver.addresses(of: host, port: port)
        guard let first = addresses.first else { throw LibraryError(.noSuchFile, "\(host) has no address") }
        guard addresses.allSatisfy(policy.allows), let text = first.ipAddress else {
            throw LibraryError(
                .notPossible,
                "\(host) is not a public address; start the server with --allow-private-imports to allow it"
            )
        }
        return text
    }
}
