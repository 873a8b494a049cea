/// A setting of `antena serve`, by the name of its flag. Each has an environment variable: `ANTENA_WOWZA_PORT` for
/// `--wowza-port`.
package enum ServerSetting: String, Hashable, Sendable {
    case http, https, rtsp, rtsps
    case wowzaPort = "wowza-port"
    case tlsCert = "tls-cert"
    case tlsKey = "tls-key"
    case udpPorts = "udp-ports"
    case media, data, database, channels
    case mediaStore = "media-store"
    case mediaCache = "media-cache"
    case logLevel = "log-level"
    case logFormat = "log-format"
    case jobs
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
    case listensPublicly = "public"
    case printPorts = "print-ports"

    package var flag: String { "--\(rawValue)" }
    package var variable: String { "ANTENA_" + rawValue.uppercased().replacing("-", with: "_") }
}
