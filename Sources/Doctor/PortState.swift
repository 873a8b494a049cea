import Gateway
import ServerSettings

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether a listener could bind to an address.
enum PortState: Sendable, Hashable {
    case free
    /// Another socket listens; the owner is `nil` if it cannot be seen.
    case taken(PortOwner?)
    /// The port needs rights that this process lacks.
    case forbidden
    /// The host is no address of this machine.
    case notHere
    /// The host is a name, which only a look-up in the network resolves.
    case notLookedUp
    case failed(errorNumber: Int32)

    /// Binds a socket and closes it, without listening at any moment.
    static func examine(_ endpoint: SocketEndpoint) -> PortState {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // The file hosts(5) has this name.
        hints.ai_flags = endpoint.host == "localhost" ? 0 : AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(endpoint.host, "\(endpoint.port)", &hints, &found) == 0, let address = found?.pointee else {
            return .notLookedUp
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.ai_family, address.ai_socktype, 0)
        guard descriptor >= 0 else { return state(errno, endpoint) }
        defer { close(descriptor) }
        // As the server does: connections that have ended do not count.
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        return bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 ? .free : state(errno, endpoint)
    }

    private static func state(_ errorNumber: Int32, _ endpoint: SocketEndpoint) -> PortState {
        switch errorNumber {
        case EADDRINUSE: .taken(PortOwner.find(port: endpoint.port))
        case EACCES: .forbidden
        case EADDRNOTAVAIL: .notHere
        default: .failed(errorNumber: errorNumber)
        }
    }
}
