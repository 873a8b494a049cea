import HTTPEndpoints
import LiveChannels
import ServerSettings

/// The text that a server with `--public` prints when it listens: the URLs that others on the network can use.
struct PublicURLs: Sendable {
    let configuration: ServerConfiguration
    /// The channel of the examples; `nil` if there is none.
    let channel: ChannelConfiguration?
    /// The addresses of the machine's network interfaces.
    let addresses: [String]

    private static let nameWidth = 12

    /// The lines to print: a kind of URL, and the URL at each address.
    ///
    /// - Parameter ports: the ports of the listeners; those that are missing do not listen.
    func text(_ ports: [ListenerName: Int]) -> String {
        let (http, rtsp) = (configuration.http, configuration.rtsp)
        let sites =
            (configuration.publicAddress.map { [$0.url("/")] } ?? [])
            + urls("https", configuration.https, ports[.https], "/") + urls("http", http, ports[.http], "/")
        var groups = [("site", sites)]
        if let channel {
            let path = "/live/\(channel.name).stream"
            let secure = urls("rtsps", configuration.rtsps, ports[.rtsps], path)
            let pushes = secure + urls("rtsp", rtsp, ports[.rtsp], path)
            let shared = ports[.wowza].map { SocketEndpoint(host: http.host, port: $0) }
            groups.append(("HLS", urls("http", http, ports[.http], "\(path)/playlist.m3u8")))
            groups.append(("RTSP push", pushes))
            groups.append(
                (
                    "RTMP push",
                    urls("rtmps", configuration.rtmps, ports[.rtmps], "/live/\(channel.name)")
                        + urls(
                            "rtmp", configuration.rtmp ?? shared, ports[.rtmp] ?? ports[.wowza], "/live/\(channel.name)"
                        )
                ))
            if channel.publishing.access == .loopback, !pushes.isEmpty {
                groups.append(
                    ("", ["(\(channel.name) accepts pushes from this machine only: see publish in channels.json)"]))
            }
        }
        let lines = groups.flatMap { name, urls in Self.lines(name, urls) }
        return lines.isEmpty
            ? "no listener can be reached from other machines: \(obstacle)"
            : (["reachable from other machines:"] + lines).joined(separator: "\n")
    }

    private static func lines(_ name: String, _ urls: [String]) -> [String] {
        urls.enumerated().map { index, url in
            let shown = index == 0 ? name : ""
            return "  \(shown)\(String(repeating: " ", count: nameWidth - shown.count))\(url)"
        }
    }

    private var obstacle: String {
        addresses.isEmpty
            ? "this machine has no network address"
            : "--http and --rtsp name addresses of this machine only; leave them out, or name 0.0.0.0"
    }

    private func urls(_ scheme: String, _ endpoint: SocketEndpoint?, _ port: Int?, _ path: String) -> [String] {
        guard let endpoint, let port else { return [] }
        return hosts(endpoint.host).map { "\(scheme)://\(SocketEndpoint(host: $0, port: port))\(path)" }
    }

    /// The addresses at which a listener that is bound to a host can be reached.
    private func hosts(_ host: String) -> [String] {
        switch host {
        case "::": addresses
        case "0.0.0.0": addresses.filter { !$0.contains(":") }
        default: NetworkAddresses.isLocal(host) ? [] : [host]
        }
    }
}
