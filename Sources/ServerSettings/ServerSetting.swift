/// A setting of `antena serve`, by the name of its flag. Each has an environment variable: `ANTENA_WOWZA_PORT` for
/// `--wowza-port`. The command makes its options from this list; ``ServerConfiguration`` reads the values.
package enum ServerSetting: String, Hashable, Sendable, CaseIterable {
    case listensPublicly = "public"
    case http
    case https
    case rtsp
    case rtsps
    case rtmp
    case rtmps
    case srt
    case wowzaPort = "wowza-port"
    case tlsCert = "tls-cert"
    case tlsKey = "tls-key"
    case udpPorts = "udp-ports"
    case media
    case data
    case database
    case mediaStore = "media-store"
    case mediaCache = "media-cache"
    case channels
    case logLevel = "log-level"
    case logFormat = "log-format"
    case jobs
    case transcodingSlots = "transcoding-slots"
    case allowPrivateImports = "allow-private-imports"
    case publicURL = "public-url"
    case smtp
    case smtpPasswordFile = "smtp-password-file"
    case mailFrom = "mail-from"
    case trustedProxy = "trusted-proxy"
    case forwardedHeader = "forwarded-header"
    case corsOrigin = "cors-origin"
    case hsts
    case mediaCorsOrigin = "media-cors-origin"
    case jwtKeys = "jwt-keys"
    case jwtSecretFile = "jwt-secret-file"
    case jwtIssuer = "jwt-issuer"
    case jwtAudience = "jwt-audience"
    case authHook = "auth-hook"
    case paymentSecretFile = "payment-secret-file"
    case printPorts = "print-ports"

    package var flag: String { "--\(rawValue)" }
    package var variable: String { "ANTENA_" + rawValue.uppercased().replacing("-", with: "_") }

    /// How a setting is given, and what it does.
    package struct Declaration: Sendable, Hashable {
        /// The name of the value in the help, such as `host:port`; `nil` for a setting that is on or off.
        package let valueName: String?
        /// One sentence for the help.
        package let help: String
        /// The default in words; `nil` if there is none to name.
        package let initial: String?

        /// A setting with a value.
        fileprivate init(_ valueName: String, _ help: String, default initial: String? = nil) {
            self.valueName = valueName
            self.help = help
            self.initial = initial
        }

        /// A setting that is on or off.
        fileprivate init(_ help: String) {
            valueName = nil
            self.help = help
            initial = nil
        }
    }

    package var declaration: Declaration {
        switch self {
        case .listensPublicly:
            Declaration(
                """
                Listen on all addresses, except for listeners whose address is given; needs an administrator \
                account.
                """)
        case .http:
            Declaration(
                "host:port", "Address of the HTTP listener; port 0 chooses a free one.", default: "127.0.0.1:8080")
        case .https:
            Declaration(
                "host:port", "Address of the HTTPS listener (HTTP/2 and HTTP/1.1); needs --tls-cert and --tls-key.",
                default:
                    "port 8443 of --http's host if there is a certificate and neither --rtsps nor --rtmps, otherwise none"
            )
        case .rtsp:
            Declaration(
                "host:port", "Address of the RTSP listener; port 0 chooses a free one.", default: "127.0.0.1:8554")
        case .rtsps:
            Declaration(
                "host:port", "Address of the RTSPS listener; needs --tls-cert and --tls-key.", default: "none")
        case .rtmp:
            Declaration(
                "host:port", "Address of a listener for RTMP alone, which --wowza-port speaks, too.", default: "none")
        case .rtmps:
            Declaration(
                "host:port", "Address of the RTMPS listener; needs --tls-cert and --tls-key.", default: "none")
        case .srt:
            Declaration(
                "host:port", "Address of the SRT listener (UDP); needs libsrt, Debian's package libsrt1.5-gnutls.",
                default: "none")
        case .wowzaPort:
            Declaration(
                "port", "A port for RTSP, RTMP and HTTP, used by apps written for Wowza; off for none.",
                default: "1935")
        case .tlsCert: Declaration("file", "The TLS certificate in PEM format; reloaded when it changes.")
        case .tlsKey: Declaration("file", "The certificate's private key in PEM format.")
        case .udpPorts: Declaration("first-last", "Ports for RTP over UDP, two per track.", default: "20000-21999")
        case .media: Declaration("dir", "The folder that contains vod/ and audio/.", default: "media")
        case .data: Declaration("dir", "The folder for everything the server writes.", default: "data")
        case .database:
            Declaration(
                "url", "The database: sqlite:PATH or postgres://USER@HOST/NAME.",
                default: "sqlite:DATA/catalogue.sqlite")
        case .mediaStore:
            Declaration(
                "url", "Where the library's files are kept: s3://BUCKET/PREFIX?endpoint=URL or a folder.",
                default: "the media and data folders")
        case .mediaCache: Declaration("size", "Size of the local cache of the media store.", default: "10G")
        case .channels: Declaration("file", "The channels and presets.", default: "channels.json")
        case .logLevel:
            Declaration("level", "trace, debug, info, notice, warning, error or critical.", default: "info")
        case .logFormat:
            Declaration("format", "The form of log lines: text, or json for one object per line.", default: "text")
        case .jobs: Declaration("count", "Number of concurrent conversions.", default: "2")
        case .transcodingSlots:
            Declaration(
                "count", "Number of lower qualities that all channels together encode; 0 for none.",
                default: "4 for each processor")
        case .allowPrivateImports: Declaration("Allow imports from private addresses: this machine and its network.")
        case .publicURL:
            Declaration(
                "url", "The address at which visitors reach the site, for links in mails.", default: "that of --http")
        case .smtp:
            Declaration(
                "url", "The mail server: smtp://USER@HOST or smtps://USER@HOST; needs --mail-from and --public-url.",
                default: "none; no mail is sent")
        case .smtpPasswordFile:
            Declaration(
                "file", "A file with the password at the mail server; or set ANTENA_SMTP_PASSWORD to the password.")
        case .mailFrom: Declaration("address", "The address from which mail is sent.")
        case .trustedProxy:
            Declaration(
                "address,…", "Addresses of trusted reverse proxies, which name the client's address.", default: "none")
        case .forwardedHeader:
            Declaration(
                "name", "The header in which the proxies name the client: x-forwarded-for or forwarded.",
                default: "x-forwarded-for")
        case .corsOrigin:
            Declaration(
                "origin,…",
                """
                Origins of pages elsewhere whose scripts may use the API with a token, such as \
                https://tv.example.org, or * for all.
                """,
                default: "none")
        case .hsts:
            Declaration(
                "seconds|off", "Seconds for which browsers use HTTPS only (Strict-Transport-Security), or off.",
                default: "15552000 if --public-url is https:// or --http is for this machine only, otherwise off")
        case .mediaCorsOrigin:
            Declaration(
                "origin,…",
                """
                Origins of pages elsewhere whose players may fetch media, such as https://tv.example.org; * for \
                all, or none.
                """,
                default: "*")
        case .jwtKeys:
            Declaration(
                "url|file", "The URL or file of the JSON Web Key Set whose tokens let viewers in (RS256, ES256).")
        case .jwtSecretFile: Declaration("file", "A file with the secret whose tokens let viewers in (HS256).")
        case .jwtIssuer: Declaration("name", "The issuer that tokens of viewers must name.", default: "any")
        case .jwtAudience: Declaration("name", "The audience that tokens of viewers must name.", default: "any")
        case .authHook:
            Declaration(
                "url", "The URL of an authorization hook for viewers and publishers, called with MediaMTX's request.")
        case .paymentSecretFile:
            Declaration("file", "A file with the secret that signs payment messages (whsec_…, Standard Webhooks).")
        case .printPorts: Declaration("Print the ports in use as one line of JSON once all listeners are ready.")
        }
    }
}
