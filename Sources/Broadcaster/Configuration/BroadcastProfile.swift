/// The settings that `antena broadcast configure` saves: the server, the channel and the preset.
package struct BroadcastProfile: Codable, Hashable, Sendable {
    /// The address of the server's API, such as `http://192.168.1.10:8080`.
    package var server: String?
    /// The RTSP address `rtsp://host:port`, if the port is not the default one or the broadcast goes to another server.
    package var rtsp: String?
    /// The channel's name.
    package var channel: String?
    /// The preset's name; `nil` for the channel's default.
    package var preset: String?
    /// The transport of media; `nil` for TCP.
    package var transport: PushTarget.Transport?
    /// The user name, if the channel requires one.
    package var user: String?
    /// The password, in clear text.
    package var password: String?
    /// The path of a PEM file with the authorities to trust with `rtsps:`; `nil` for the system's.
    package var certificates: String?

    /// Creates an empty profile.
    package init() {}

    /// The names of the settings, in display order.
    package static let keys = ["server", "rtsp", "channel", "preset", "transport", "user", "password", "certificates"]

    /// The text of a setting; `nil` if it is not set, or there is no such setting.
    package subscript(key key: String) -> String? {
        switch key {
        case "server": server
        case "rtsp": rtsp
        case "channel": channel
        case "preset": preset
        case "transport": transport?.rawValue
        case "user": user
        case "password": password
        case "certificates": certificates
        default: nil
        }
    }

    /// Changes a setting.
    ///
    /// - Parameters:
    ///   - key: The setting's name, as in the profile's file.
    ///   - value: The new value; an empty one removes the setting.
    /// - Throws: ``BroadcastError`` if there is no such setting, or the value is invalid.
    package mutating func set(_ key: String, to value: String) throws(BroadcastError) {
        let given = value.isEmpty ? nil : value
        switch key {
        case "server":
            if let given { _ = try GatewayAPI(address: given) }
            server = given.map(GatewayAPI.completed)
        case "rtsp":
            if let given { _ = try PushTarget(parsing: given, transport: .tcp) }
            rtsp = given
        case "channel": channel = given
        case "preset": preset = given
        case "transport":
            transport = try given.map { text throws(BroadcastError) in
                guard let transport = PushTarget.Transport(rawValue: text) else {
                    throw BroadcastError(.usage, "\"\(text)\" is not a transport; choose tcp or udp")
                }
                return transport
            }
        case "user": user = given
        case "password": password = given
        case "certificates": certificates = given
        default:
            throw BroadcastError(
                .usage, "there is no setting \"\(key)\"; the settings are \(Self.keys.joined(separator: ", "))")
        }
    }

    /// Returns the profile with the settings of this run. If they name another server, the saved RTSP address and
    /// credentials are dropped: they belong to the old one.
    ///
    /// - Parameter given: The values, keyed by the settings' names.
    package func overridden(by given: [String: String]) throws(BroadcastError) -> BroadcastProfile {
        var result = self
        if try BroadcastProfile().setting(given, only: "rtsp").hasWholeAddress {
            (result.server, result.channel) = (nil, nil)
        }
        if let server = given["server"], GatewayAPI.completed(server) != self.server { result.rtsp = nil }
        for (key, value) in given.sorted(by: { $0.key < $1.key }) { try result.set(key, to: value) }
        let (before, after) = (try? rtspBase(), try? result.rtspBase())
        if let before, let after, before.host != after.host {
            (result.user, result.password) = (given["user"], given["password"])
        }
        return result
    }

    private func setting(_ given: [String: String], only key: String) throws(BroadcastError) -> BroadcastProfile {
        var result = self
        if let value = given[key] { try result.set(key, to: value) }
        return result
    }

    /// True if ``rtsp`` names a stream, and not only a server; it may be a stream of any server, not only of Antena.
    package var hasWholeAddress: Bool {
        guard let rtsp, let target = try? PushTarget(parsing: rtsp, transport: .tcp) else { return false }
        return target.path != "/"
    }

    /// Asks the server for its RTSP port, unless an RTSP address is known already. A server that does not answer, or
    /// does not say, is assumed to use the default port.
    mutating func learnRTSPAddress() async {
        guard rtsp == nil, let server, let base = try? rtspBase(), let api = try? GatewayAPI(address: server) else {
            return
        }
        var learned: Int?
        do throws(BroadcastError) { learned = try await api.rtspPort() } catch { return }
        guard let port = learned, port != base.port, (1...65_535).contains(port) else { return }
        let host = base.host.contains(":") ? "[\(base.host)]" : base.host
        rtsp = "rtsp://\(host):\(port)"
    }

    /// Returns the stream to publish to for this profile's channel.
    ///
    /// - Throws: ``BroadcastError`` if a setting is missing.
    package func target(presetName: String?) throws(BroadcastError) -> PushTarget {
        let base = try rtspBase()
        let path: String
        if base.path != "/" {
            guard channel == nil else {
                throw BroadcastError(
                    .usage,
                    "there are both a channel and the full address of a stream, \(base.url); leave one of them out: "
                        + "--rtsp rtsp://HOST:PORT goes with --channel, rtsp://HOST:PORT/PATH without")
            }
            path = base.path
        } else if let channel {
            let query = presetName.map { "?preset=\($0)" } ?? ""
            path = "/live/\(channel).stream\(query)"
        } else {
            throw BroadcastError(
                .usage, "no channel is chosen; give --channel, or run: antena broadcast configure")
        }
        var target = base
        target.path = path
        target.trustedCertificates = certificates
        if let user { target.credentials = PushTarget.Credentials(username: user, password: password ?? "") }
        return target
    }

    private func rtspBase() throws(BroadcastError) -> PushTarget {
        let transport = transport ?? .tcp
        if let rtsp { return try PushTarget(parsing: rtsp, transport: transport) }
        guard let server else {
            throw BroadcastError(.usage, "no server is chosen; give --server, or run: antena broadcast configure")
        }
        let host = server.split(separator: "//", maxSplits: 1).last.map(String.init) ?? server
        let authority = host.prefix { $0 != "/" }
        // The RTSP port is the default one; an IPv6 address keeps its brackets.
        let name = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return try PushTarget(parsing: "rtsp://\(name):\(PushTarget.defaultPort)/", transport: transport)
    }
}
