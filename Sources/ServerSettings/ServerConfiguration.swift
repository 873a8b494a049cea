package import Database
import Foundation
package import HLSDelivery
package import HTTPEndpoints
import LibraryCore
package import Logging
import MediaCore
package import MediaStorage
import RTSPServer

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The settings of a server that are not in `channels.json`. Each is taken from a flag, else from an environment
/// variable, else from the default.
package struct ServerConfiguration: Sendable, Equatable {
    /// True if other machines are meant to reach the server: listeners without an address of their own listen on all
    /// addresses, and the server does not start without an administrator.
    package var isPublic = false
    /// The endpoint of the HTTP listener.
    package var http = SocketEndpoint(host: "127.0.0.1", port: 8080)
    /// The endpoint of the HTTPS listener (HTTP/2 and HTTP/1.1); `nil` for none.
    package var https: SocketEndpoint?
    /// The endpoint of the RTSP listener.
    package var rtsp = SocketEndpoint(host: "127.0.0.1", port: 8554)
    /// The endpoint of the RTSPS listener (RTSP over TLS); `nil` for none.
    package var rtsps: SocketEndpoint?
    /// The endpoint of the listener for RTMP alone; `nil` for none.
    package var rtmp: SocketEndpoint?
    /// The endpoint of the RTMPS listener (RTMP over TLS); `nil` for none.
    package var rtmps: SocketEndpoint?
    /// The endpoint of the SRT listener; `nil` for none.
    package var srt: SocketEndpoint?
    /// The port that speaks RTSP, RTMP and HTTP, on the HTTP listener's host; `nil` for none.
    package var wowzaPort: Int? = Self.defaultWowzaPort
    /// True if ``wowzaPort`` was set explicitly; the server then does not start without it.
    package var isWowzaPortRequired = false
    /// The certificate of HTTPS, RTSPS and RTMPS; `nil` for none.
    package var tls: TLSFiles?
    /// The ports for RTP and RTCP over UDP.
    package var udpPorts = RTSPServerConfiguration.defaultUDPPortRange
    /// The folder that contains `vod/` and `audio/`.
    package var mediaDirectory = "media"
    /// The flag or variable that set ``mediaDirectory``; `nil` for the default, which the server creates.
    package var mediaSetting: String?
    /// The folder that contains everything that the server writes.
    package var dataDirectory = "data"
    /// The database; `nil` for the file `catalogue.sqlite` in the data folder.
    package var database: DatabaseAddress?
    /// The media store, which keeps the library's files; `nil` for the folders of this machine.
    package var mediaStore: MediaStoreAddress?
    /// Limit on the bytes of files in the media store that are kept on this machine.
    package var mediaCacheByteCount = Self.defaultMediaCacheByteCount
    package var channelsFile = "channels.json"
    package var logLevel = Logger.Level.info
    package var logFormat = LogFormat.text
    /// Number of concurrent conversions.
    package var jobs = 2
    /// Number of lower qualities that all channels together may encode; `nil` for what the machine has time for.
    package var transcodingSlots: Int?
    /// True if imports from loopback and private addresses are allowed.
    package var allowsPrivateImports = false
    /// The address at which visitors reach the site; `nil` if it is that of the HTTP listener.
    package var publicAddress: PublicAddress?
    /// How mail is sent; `nil` if the server sends none.
    package var mail: MailSettings?
    /// The reverse proxies in front of the server.
    package var proxies = TrustedProxies.none
    /// The pages of other origins whose scripts may use the API.
    package var crossOrigin = CrossOriginPolicy.none
    /// Whether browsers are told to come back over HTTPS only.
    package var strictTransport = StrictTransport.off
    /// The pages of other origins whose players may fetch media.
    package var mediaCrossOrigin = MediaCrossOriginPolicy.everyone
    /// The issuer of viewers' tokens; `nil` for none.
    package var mediaTokens: MediaTokenConfiguration?
    /// The URL of the program that is asked who may watch and push; `nil` if there is none.
    package var authorizationHook: String?
    /// The file with the secret that signs payments; `nil` if nobody can pay for credits.
    package var paymentSecretFile: String?
    /// True if the server prints `{"http":8080,"rtsp":8554,…}` on standard output once all listeners are bound.
    package var printsPorts = false

    package init() {}

    /// The port that apps written for Wowza use.
    package static let defaultWowzaPort = 1935
    /// The HTTPS port used if a certificate is given without a listener for it; it corresponds to 8080 for HTTP.
    package static let defaultHTTPSPort = 8443

    /// 10 GiB: some films that many watch.
    package static let defaultMediaCacheByteCount: Int64 = 10 << 30

    /// Paths of a certificate and its key, both in PEM format.
    package struct TLSFiles: Sendable, Hashable {
        package var certificate: String
        package var key: String
    }

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - flags: the values of the flags that were given; those without a value, such as `--print-ports`, have any
    ///     text.
    ///   - environment: the environment variables of the process.
    ///   - wildcardHost: the host that stands for all addresses of the machine; used if `--public` is given.
    /// - Throws: ``SettingError`` for the first value that is not valid.
    package init(
        flags: [ServerSetting: String], environment: [String: String],
        wildcardHost: @autoclosure () -> String = WildcardHost.ofThisMachine()
    ) throws(SettingError) {
        self.init()
        let sources = SettingSources(flags: flags, environment: environment)
        isPublic = try sources.isSet(.listensPublicly)
        if isPublic {
            http.host = wildcardHost()
            rtsp.host = http.host
        }
        if let (text, setting) = sources.value(of: .http) { http = try SocketEndpoint(parsing: text, setting: setting) }
        if let (text, setting) = sources.value(of: .rtsp) { rtsp = try SocketEndpoint(parsing: text, setting: setting) }
        if let (text, setting) = sources.value(of: .rtmp) { rtmp = try SocketEndpoint(parsing: text, setting: setting) }
        if let (text, setting) = sources.value(of: .srt) { srt = try SocketEndpoint(parsing: text, setting: setting) }
        try chooseSecurity(sources)
        if let (text, setting) = sources.value(of: .wowzaPort) {
            wowzaPort = try Self.port(orOff: text, setting: setting)
            isWowzaPortRequired = true
        }
        if let (text, setting) = sources.value(of: .udpPorts) { udpPorts = try Self.portRange(text, setting: setting) }
        if let (text, setting) = sources.value(of: .media) {
            mediaDirectory = try Self.path(text, setting: setting)
            mediaSetting = setting
        }
        if let (text, setting) = sources.value(of: .data) { dataDirectory = try Self.path(text, setting: setting) }
        database = try Self.database(sources)
        mediaStore = try Self.mediaStore(sources, environment: environment)
        if let (text, setting) = sources.value(of: .mediaCache) {
            mediaCacheByteCount = try Self.byteCount(text, atLeast: Self.minimumMediaCacheByteCount, setting: setting)
        }
        if let (text, setting) = sources.value(of: .channels) { channelsFile = try Self.path(text, setting: setting) }
        if let (text, setting) = sources.value(of: .logLevel) { logLevel = try Self.level(text, setting: setting) }
        if let (text, setting) = sources.value(of: .logFormat) {
            guard let format = LogFormat(rawValue: text.lowercased()) else {
                let allowed = LogFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingError(setting: setting, value: text, message: "must be one of: \(allowed)")
            }
            logFormat = format
        }
        if let (text, setting) = sources.value(of: .jobs) {
            jobs = try Self.count(text, in: Self.jobCounts, setting: setting)
        }
        if let (text, setting) = sources.value(of: .transcodingSlots) {
            transcodingSlots = try Self.count(text, in: Self.slotCounts, setting: setting)
        }
        allowsPrivateImports = try sources.isSet(.allowPrivateImports)
        publicAddress = try Self.publicAddress(sources)
        mail = try MailSettings(sources, environment: environment, publicAddress: publicAddress)
        proxies = try Self.proxies(sources)
        crossOrigin = try Self.crossOrigin(sources)
        strictTransport = try strictTransport(sources)
        mediaCrossOrigin = try Self.mediaCrossOrigin(sources)
        mediaTokens = try MediaTokenConfiguration(sources)
        authorizationHook = try Self.authorizationHook(sources)
        paymentSecretFile = sources.value(of: .paymentSecretFile)?.text
        printsPorts = try sources.isSet(.printPorts)
    }

    private mutating func chooseSecurity(_ sources: SettingSources) throws(SettingError) {
        let certificate = sources.value(of: .tlsCert)
        let key = sources.value(of: .tlsKey)
        switch (certificate, key) {
        case (let certificate?, let key?):
            tls = TLSFiles(
                certificate: try Self.path(certificate.text, setting: certificate.setting),
                key: try Self.path(key.text, setting: key.setting))
        case (let certificate?, nil):
            throw SettingError(
                setting: certificate.setting, value: certificate.text, message: "also needs --tls-key")
        case (nil, let key?):
            throw SettingError(setting: key.setting, value: key.text, message: "also needs --tls-cert")
        case (nil, nil): break
        }
        https = try secureEndpoint(sources.value(of: .https))
        rtsps = try secureEndpoint(sources.value(of: .rtsps))
        rtmps = try secureEndpoint(sources.value(of: .rtmps))
        // An operator who gives a certificate without a listener expects encryption.
        if tls != nil, https == nil, rtsps == nil, rtmps == nil {
            https = SocketEndpoint(host: http.host, port: Self.defaultHTTPSPort)
        }
    }

    private func secureEndpoint(
        _ choice: (text: String, setting: String)?
    ) throws(SettingError) -> SocketEndpoint? {
        guard let (text, setting) = choice else { return nil }
        let endpoint = try SocketEndpoint(parsing: text, setting: setting)
        guard tls != nil else {
            throw SettingError(setting: setting, value: text, message: "needs --tls-cert and --tls-key")
        }
        return endpoint
    }

    /// Checks that the media folder exists and can be read.
    ///
    /// - Throws: ``SettingError`` if it is a file, cannot be read, or was set explicitly and does not exist.
    package func checkMediaDirectory() throws(SettingError) {
        let setting = mediaSetting ?? "--media"
        guard access(mediaDirectory, F_OK) == 0 else {
            if errno == ENOENT, mediaSetting == nil { return }
            let reason = errno == ENOENT ? "does not exist" : "cannot be opened: \(FileErrorText.text(errno))"
            throw SettingError(
                setting: setting, value: mediaDirectory,
                message: "\(reason); create the folder, with vod/ and audio/ in it, or name another one")
        }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: mediaDirectory, isDirectory: &isFolder)
        guard isFolder.boolValue else {
            throw SettingError(
                setting: setting, value: mediaDirectory,
                message: "is a file; name the folder that holds vod/ and audio/")
        }
        guard access(mediaDirectory, R_OK | X_OK) == 0 else {
            throw SettingError(
                setting: setting, value: mediaDirectory, message: "cannot be read: \(FileErrorText.text(errno))")
        }
    }

    /// Creates the default media folder, so that `antena serve` works in an empty folder.
    package func createDefaultMediaDirectory() {
        guard mediaSetting == nil else { return }
        for folder in [mediaDirectory] + LibrarySection.allCases.map({ "\(mediaDirectory)/\($0.rawValue)" }) {
            mkdir(folder, 0o777)
        }
    }

    // MARK: Values

    private static func port(orOff text: String, setting: String) throws(SettingError) -> Int? {
        if text.lowercased() == "off" { return nil }
        guard let port = port(text) else {
            throw SettingError(
                setting: setting, value: text, message: "must be a port from 0 (a free one) to 65535, or off")
        }
        return Int(port)
    }

    /// Parses a range of ports, such as `20000-21999`.
    private static func portRange(_ text: String, setting: String) throws(SettingError) -> ClosedRange<UInt16> {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { port(String($0)) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first > 0, first < last else {
            throw SettingError(
                setting: setting, value: text,
                message: "write FIRST-LAST, for example 20000-21999; each track takes two")
        }
        return first...last
    }

    private static func port(_ text: String) -> UInt16? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? UInt16(text) : nil
    }

    /// Allowed numbers of concurrent conversions. More conversions than CPU threads make all of them slower.
    private static let jobCounts = 1...64
    private static let slotCounts = 0...1_024

    private static func count(_ text: String, in range: ClosedRange<Int>, setting: String) throws(SettingError) -> Int {
        guard let count = Int(text), range.contains(count) else {
            throw SettingError(
                setting: setting, value: text,
                message: "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    private static func path(_ text: String, setting: String) throws(SettingError) -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw SettingError(setting: setting, value: text, message: "must be a path")
        }
        return text
    }

    /// The database of `--database` or `ANTENA_DATABASE`; `nil` if neither is set.
    ///
    /// - Throws: ``SettingError`` without the value, which may contain a password.
    private static func database(_ sources: SettingSources) throws(SettingError) -> DatabaseAddress? {
        guard let (text, setting) = sources.value(of: .database) else { return nil }
        do {
            return try DatabaseAddress(parsing: text)
        } catch {
            throw SettingError(setting: setting, value: "…", message: error.reason)
        }
    }

    private static func level(_ text: String, setting: String) throws(SettingError) -> Logger.Level {
        guard let level = Logger.Level(rawValue: text.lowercased()) else {
            let allowed = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError(setting: setting, value: text, message: "must be one of: \(allowed)")
        }
        return level
    }
}
