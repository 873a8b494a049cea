import Gateway
import ServerSettings

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Checks that a listener's port is free, or taken by the running server.
struct PortCheck: DoctorCheck {
    let listener: Listener
    let state: PortState
    /// The process of the server that uses the data folder; `nil` if none does.
    let server: Int32?

    /// A listener of the configuration.
    struct Listener: Sendable, Hashable {
        let name: ListenerName
        /// The flag that sets the address or port, such as `--http`.
        let flag: String
        let endpoint: SocketEndpoint
        /// Whether the server does not start without the listener.
        let isRequired: Bool
    }

    var name: String { "\(listener.name.rawValue) port" }

    private var endpoint: SocketEndpoint { listener.endpoint }

    var finding: DoctorFinding {
        switch state {
        case .free:
            .ok(endpoint.port == 0 ? "the system chooses a free port" : "\(endpoint) is free")
        case .taken(let owner?) where owner.process == server:
            .ok("\(endpoint) is used by the running server (process \(owner.process))")
        case .taken(nil) where server != nil:
            .warning(
                "\(endpoint) is in use by a program that this user cannot see, probably the running server",
                remedy: "run this command as the server's user to be sure")
        case .taken(let owner): obstacle("\(endpoint) is in use by \(Self.text(owner))", remedy: takenRemedy(owner))
        case .forbidden:
            obstacle(
                "port \(endpoint.port) needs more rights than this user has",
                remedy: "choose a port above 1023 with \(listener.flag), or give the server CAP_NET_BIND_SERVICE")
        case .notHere:
            obstacle(
                "\(endpoint.host) is not an address of this machine", remedy: "choose another with \(listener.flag)")
        case .notLookedUp:
            .warning(
                "\(endpoint.host) is a host name; this check does not resolve names",
                remedy: "give \(listener.flag) an address")
        case .failed(let number):
            obstacle(
                "\(endpoint) cannot be used: \(String(cString: strerror(number)))",
                remedy: "choose another address with \(listener.flag)")
        }
    }

    private func obstacle(_ text: String, remedy: String) -> DoctorFinding {
        listener.isRequired
            ? .problem(text, remedy: remedy)
            : .warning("\(text); the server starts without this listener", remedy: remedy)
    }

    private static func text(_ owner: PortOwner?) -> String {
        guard let owner else { return "a program that this user cannot see" }
        return owner.isAntena
            ? "a running Antena with another data folder (process \(owner.process))"
            : "\(owner.program) (process \(owner.process))"
    }

    private func takenRemedy(_ owner: PortOwner?) -> String {
        let choice = "choose another with \(listener.flag)"
        guard let owner else { return "find it with: sudo ss -ltnp 'sport = :\(endpoint.port)'; stop it, or \(choice)" }
        return owner.isAntena ? "name its data folder with --data, stop it, or \(choice)" : "stop it, or \(choice)"
    }

    // MARK: Facts

    /// Binds to each address of the configuration for a moment.
    static func examine(_ configuration: ServerConfiguration, server: Int32?) -> [PortCheck] {
        listeners(of: configuration).map {
            PortCheck(listener: $0, state: PortState.examine($0.endpoint), server: server)
        }
    }

    /// The listeners that a server with this configuration opens.
    static func listeners(of configuration: ServerConfiguration) -> [Listener] {
        var listeners = [
            Listener(name: .http, flag: "--http", endpoint: configuration.http, isRequired: true),
            Listener(name: .rtsp, flag: "--rtsp", endpoint: configuration.rtsp, isRequired: true),
        ]
        if let https = configuration.https {
            listeners.append(Listener(name: .https, flag: "--https", endpoint: https, isRequired: true))
        }
        if let rtsps = configuration.rtsps {
            listeners.append(Listener(name: .rtsps, flag: "--rtsps", endpoint: rtsps, isRequired: true))
        }
        if let port = configuration.wowzaPort {
            listeners.append(
                Listener(
                    name: .wowza, flag: "--wowza-port",
                    endpoint: SocketEndpoint(host: configuration.http.host, port: port),
                    isRequired: configuration.isWowzaPortRequired))
        }
        return listeners
    }
}
