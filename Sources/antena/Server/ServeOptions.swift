import ArgumentParser
import Gateway
import ServerSettings

/// The settings of a server, as `antena serve` takes them.
struct ServeOptions: ParsableArguments {
    @Flag(
        help:
            "Listen on all addresses, except for listeners whose address is given; needs an administrator account."
    )
    var `public` = false

    @Option(
        help: ArgumentHelp(
            "Address of the HTTP listener; port 0 chooses a free one. (default: 127.0.0.1:8080)", valueName: "host:port"
        ))
    var http: String?

    @Option(
        help: ArgumentHelp(
            "Address of the HTTPS listener (HTTP/2 and HTTP/1.1); needs --tls-cert and --tls-key. (default: port 8443 of --http's host if there is a certificate and no --rtsps, otherwise none)",
            valueName: "host:port"))
    var https: String?

    @Option(
        help: ArgumentHelp(
            "Address of the RTSP listener; port 0 chooses a free one. (default: 127.0.0.1:8554)", valueName: "host:port"
        ))
    var rtsp: String?

    @Option(
        help: ArgumentHelp(
            "Address of the RTSPS listener; needs --tls-cert and --tls-key. (default: none)", valueName: "host:port"))
    var rtsps: String?

    @Option(
        help: ArgumentHelp(
            "A port for both RTSP and HTTP, used by apps written for Wowza; off for none. (default: 1935)",
            valueName: "port"))
    var wowzaPort: String?

    @Option(help: ArgumentHelp("The TLS certificate in PEM format; reloaded when it changes.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's private key in PEM format.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Ports for RTP over UDP, two per track. (default: 20000-21999)", valueName: "first-last"))
    var udpPorts: String?

    @Option(help: ArgumentHelp("The folder that contains vod/ and audio/. (default: media)", valueName: "dir"))
    var media: String?

    @Option(help: ArgumentHelp("The folder for everything the server writes. (default: data)", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The database: sqlite:PATH or postgres://USER@HOST/NAME. (default: sqlite:DATA/catalogue.sqlite)",
            valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Where the library's files are kept: s3://BUCKET/PREFIX?endpoint=URL or a folder. (default: the media and data folders)",
            valueName: "url"))
    var mediaStore: String?

    @Option(
        help: ArgumentHelp(
            "Size of the local cache of the media store. (default: 10G)", valueName: "size"))
    var mediaCache: String?

    @Option(help: ArgumentHelp("The channels and presets. (default: channels.json)", valueName: "file"))
    var channels: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical. (default: info)", valueName: "level"))
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "The form of log lines: text, or json for one object per line. (default: text)", valueName: "format"))
    var logFormat: String?

    @Option(help: ArgumentHelp("Number of concurrent conversions. (default: 2)", valueName: "count"))
    var jobs: String?

    @Flag(help: "Allow imports from private addresses: this machine and its network.")
    var allowPrivateImports = false

    @Option(
        help: ArgumentHelp(
            "The address at which visitors reach the site, for links in mails. (default: that of --http)",
            valueName: "url"))
    var publicURL: String?

    @Option(
        help: ArgumentHelp(
            "The mail server: smtp://USER@HOST or smtps://USER@HOST; needs --mail-from and --public-url. (default: none; no mail is sent)",
            valueName: "url"))
    var smtp: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password at the mail server; or set ANTENA_SMTP_PASSWORD to the password.",
            valueName: "file"))
    var smtpPasswordFile: String?

    @Option(help: ArgumentHelp("The address from which mail is sent.", valueName: "address"))
    var mailFrom: String?

    @Option(
        help: ArgumentHelp(
            "Addresses of trusted reverse proxies, which name the client's address. (default: none)",
            valueName: "address,…"))
    var trustedProxy: String?

    @Option(
        help: ArgumentHelp(
            "The header in which the proxies name the client: x-forwarded-for or forwarded. (default: x-forwarded-for)",
            valueName: "name"))
    var forwardedHeader: String?

    @Option(
        help: ArgumentHelp(
            "Origins of pages elsewhere whose scripts may use the API with a token, such as https://tv.example.org, or * for all. (default: none)",
            valueName: "origin,…"))
    var corsOrigin: String?

    @Option(
        help: ArgumentHelp(
            "Seconds for which browsers use HTTPS only (Strict-Transport-Security), or off. (default: 15552000 if --public-url is https:// or --http is for this machine only, otherwise off)",
            valueName: "seconds|off"))
    var hsts: String?

    @Option(
        help: ArgumentHelp(
            "Origins of pages elsewhere whose players may fetch media, such as https://tv.example.org; * for all, or none. (default: *)",
            valueName: "origin,…"))
    var mediaCorsOrigin: String?

    @Option(
        help: ArgumentHelp(
            "The URL or file of the JSON Web Key Set whose tokens let viewers in (RS256, ES256).", valueName: "url|file"
        ))
    var jwtKeys: String?

    @Option(
        help: ArgumentHelp("A file with the secret whose tokens let viewers in (HS256).", valueName: "file"),
        completion: .file())
    var jwtSecretFile: String?

    @Option(help: ArgumentHelp("The issuer that tokens of viewers must name. (default: any)", valueName: "name"))
    var jwtIssuer: String?

    @Option(help: ArgumentHelp("The audience that tokens of viewers must name. (default: any)", valueName: "name"))
    var jwtAudience: String?

    @Option(
        help: ArgumentHelp(
            "The URL of an authorization hook for viewers and publishers, called with MediaMTX's request.",
            valueName: "url"))
    var authHook: String?

    @Option(
        help: ArgumentHelp(
            "A file with the secret that signs payment messages (whsec_…, Standard Webhooks).", valueName: "file"),
        completion: .file())
    var paymentSecretFile: String?

    /// The flags that were given. An option is a setting of the same name.
    var flags: [ServerSetting: String] {
        var flags: [ServerSetting: String] = [:]
        for option in Mirror(reflecting: self).children {
            let value = (option.value as? Option<String?>)?.wrappedValue
            let isOn = (option.value as? Flag<Bool>)?.wrappedValue ?? false
            guard let text = value ?? (isOn ? "true" : nil) else { continue }
            // The property `_publicURL` holds the option `publicURL`.
            let name = option.label?.drop { $0 == "_" } ?? ""
            guard let setting = ServerSetting(rawValue: Self.flagName(String(name))) else {
                preconditionFailure("the option \(name) is not a setting")
            }
            flags[setting] = text
        }
        return flags
    }

    /// The name of the flag that belongs to a property, such as `public-url` for `publicURL`.
    private static func flagName(_ property: String) -> String {
        property.replacing(/[A-Z]+/) { "-\($0.output.lowercased())" }
    }
}
