package import Logging

/// Everything about a server that is not in `channels.json`: a flag, else its environment variable, else the default.
package struct ServerConfiguration: Sendable, Equatable {
    package var http = SocketEndpoint(host: "127.0.0.1", port: 8080)
    package var rtsp = SocketEndpoint(host: "127.0.0.1", port: 8554)
    /// Holds `vod/` and `audio/`.
    package var mediaDirectory = "media"
    /// Everything that the server writes lies below.
    package var dataDirectory = "data"
    package var channelsFile = "channels.json"
    package var logLevel = Logger.Level.info
    /// Print `{"http":8080,"rtsp":8554}` on standard output once both listen.
    package var printsPorts = false

    package init() {}

    /// The flags of `antena serve`, each `nil` where it was not given.
    package struct Flags: Sendable {
        package var http: String?
        package var rtsp: String?
        package var media: String?
        package var data: String?
        package var channels: String?
        package var logLevel: String?
        package var printPorts: Bool

        package init(
            http: String? = nil, rtsp: String? = nil, media: String? = nil, data: String? = nil,
            channels: String? = nil, logLevel: String? = nil, printPorts: Bool = false
        ) {
            self.http = http
            self.rtsp = rtsp
            self.media = media
            self.data = data
            self.channels = channels
            self.logLevel = logLevel
            self.printPorts = printPorts
        }
    }

    /// - Throws: ``SettingError`` for the first value that cannot be used.
    package init(flags: Flags, environment: [String: String]) throws(SettingError) {
        self.init()
        if let (text, setting) = Self.choose(flags.http, "http", environment) {
            http = try SocketEndpoint(parsing: text, setting: setting)
        }
        if let (text, setting) = Self.choose(flags.rtsp, "rtsp", environment) {
            rtsp = try SocketEndpoint(parsing: text, setting: setting)
        }
        if let (text, setting) = Self.choose(flags.media, "media", environment) {
            mediaDirectory = try Self.path(text, setting: setting)
        }
        if let (text, setting) = Self.choose(flags.data, "data", environment) {
            dataDirectory = try Self.path(text, setting: setting)
        }
        if let (text, setting) = Self.choose(flags.channels, "channels", environment) {
            channelsFile = try Self.path(text, setting: setting)
        }
        if let (text, setting) = Self.choose(flags.logLevel, "log-level", environment) {
            logLevel = try Self.level(text, setting: setting)
        }
        let variable = try Self.boolean("ANTENA_PRINT_PORTS", environment)
        printsPorts = flags.printPorts || variable
    }

    // MARK: Values

    /// The flag's value where there is one, else the variable's; empty variables count as not set, as Compose files
    /// write them.
    private static func choose(
        _ flag: String?, _ name: String, _ environment: [String: String]
    ) -> (text: String, setting: String)? {
        if let flag { return (flag, "--\(name)") }
        let variable = "ANTENA_" + name.uppercased().replacing("-", with: "_")
        guard let text = environment[variable], !text.isEmpty else { return nil }
        return (text, variable)
    }

    private static func path(_ text: String, setting: String) throws(SettingError) -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw SettingError(setting: setting, value: text, message: "must be a path")
        }
        return text
    }

    private static func level(_ text: String, setting: String) throws(SettingError) -> Logger.Level {
        guard let level = Logger.Level(rawValue: text.lowercased()) else {
            let allowed = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError(setting: setting, value: text, message: "allowed are \(allowed)")
        }
        return level
    }

    private static func boolean(_ variable: String, _ environment: [String: String]) throws(SettingError) -> Bool {
        switch environment[variable]?.lowercased() {
        case nil, "", "0", "false", "no": return false
        case "1", "true", "yes": return true
        case let text?: throw SettingError(setting: variable, value: text, message: "allowed are true and false")
        }
    }
}
