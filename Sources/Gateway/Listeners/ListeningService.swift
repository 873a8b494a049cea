import NIOCore
import ServerSettings
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A service with a listener; if the address cannot be bound, its error names the flag to change.
struct ListeningService: Service {
    let service: any Service
    /// The flag that sets the address, such as `--http`.
    let flag: String
    let endpoint: SocketEndpoint

    func run() async throws {
        do {
            try await service.run()
        } catch {
            throw endpoint.explain(error, flag: flag)
        }
    }
}

extension SocketEndpoint {
    /// The program that has taken the port, as the beginning of a sentence that goes on with another port.
    private var owner: String {
        guard let owner = PortOwner.find(port: port), owner.isAntena else { return "another program;" }
        return "another Antena that is running (process \(owner.process)): stop it, or"
    }

    /// Turns an error of binding the address into one with a remedy.
    ///
    /// - Parameters:
    ///   - error: the error; returned unchanged if it is not about binding.
    ///   - flag: the flag that sets the address, such as `--http`.
    func explain(_ error: any Error, flag: String) -> any Error {
        if let error = error as? SocketAddressError {
            return ServerStartError("\(flag) \(self): the host cannot be resolved (\(error))")
        }
        return switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            ServerStartError(
                "port \(port) is in use by \(owner) choose another with \(flag) \(urlHost):PORT (0 takes a free one)")
        case EACCES:
            ServerStartError("port \(port) needs more rights; choose one above 1023 with \(flag) \(urlHost):PORT")
        case EADDRNOTAVAIL:
            ServerStartError("\(host) is not an address of this machine; choose another with \(flag)")
        default: error
        }
    }
}
