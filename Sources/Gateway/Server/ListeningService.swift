import NIOCore
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A service that listens, with an error that names the flag where its address cannot be had.
struct ListeningService<Wrapped: Service>: Service {
    let service: Wrapped
    /// `--http`
    let flag: String
    let endpoint: SocketEndpoint

    func run() async throws {
        do {
            try await service.run()
        } catch let error as IOError {
            throw Self.explain(error, flag: flag, endpoint: endpoint)
        } catch let error as SocketAddressError {
            throw ServerStartError("\(flag) \(endpoint): the host cannot be resolved (\(error))")
        }
    }

    static func explain(_ error: IOError, flag: String, endpoint: SocketEndpoint) -> any Error {
        switch error.errnoCode {
        case EADDRINUSE:
            ServerStartError(
                "port \(endpoint.port) is in use by another program; choose another with \(flag) \(endpoint.host):PORT (0 takes a free one)"
            )
        case EACCES:
            ServerStartError(
                "port \(endpoint.port) needs more rights; choose one above 1023 with \(flag) \(endpoint.host):PORT")
        case EADDRNOTAVAIL:
            ServerStartError("\(endpoint.host) is no address of this machine; choose another with \(flag)")
        default: error
        }
    }
}
