package import NIOCore
import NIOPosix

/// Finds the address of a host.
package enum HostLookup {
    /// - Throws: an error of the resolver.
    package static func address(of host: String, port: Int) async throws -> SocketAddress {
        // The resolver waits for the network.
        try await NIOThreadPool.singleton.runIfActive {
            try SocketAddress.makeAddressResolvingHost(host, port: port)
        }
    }
}
