import Foundation
import NIOCore

/// The mail server that takes all mail, as an operator writes it: `smtp://user@host:587` (STARTTLS, RFC 3207),
/// `smtps://user@host:465` (TLS from the start, RFC 8314 §3.3).
///
/// The connection is encrypted and the certificate is checked, but to this machine: its mail server listens on
/// loopback, often with a certificate for another name (`?tls=on` encrypts that, too). `?tls=off` turns encryption off
/// for a server without it, such as one in the same private network; then there is no username. `?certificates=FILE`
/// names a PEM file with the certificates that are trusted instead of the system's.
package struct SMTPServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// How the connection is encrypted.
    package enum Security: Sendable, Hashable {
        /// TLS from the start.
        case implicitTLS
        /// The server has to offer STARTTLS.
        case startTLS
        /// The connection is not encrypted.
        case none
    }

    package let host: String
    package let port: Int
    package let security: Security
    /// The username; `nil` for a server that asks for none.
    package let username: String?
    /// A PEM file with the trusted certificates; `nil` for those of the system.
    package let certificatesPath: String?

    /// RFC 6409 §3.1 and RFC 8314 §7.3; port 25 between servers of one machine.
    private static let (submissionPort, securePort, localPort) = (587, 465, 25)
    private static let maximumByteCount = 2_000

    /// - Throws: ``MailFormatError``, which repeats nothing of an address with a password.
    package init(parsing text: String) throws(MailFormatError) {
        guard text.utf8.count <= Self.maximumByteCount, let components = URLComponents(string: text),
            let scheme = components.scheme?.lowercased(), scheme == "smtp" || scheme == "smtps",
            let host = components.host?.filter({ $0 != "[" && $0 != "]" }), Self.isHost(host),
            components.path.isEmpty || components.path == "/", components.fragment == nil
        else {
            throw MailFormatError(
                "must be the address of a mail server, such as smtp://ana@mail.example.org:587 or smtps://mail.example.org"
            )
        }
        guard components.password == nil else {
            throw MailFormatError("the password does not belong here; use --smtp-password-file or ANTENA_SMTP_PASSWORD")
        }
        let options = try Self.options(components)
        username = components.user.flatMap { $0.isEmpty ? nil : $0 }
        certificatesPath = options.certificates
        self.host = host
        let isLocal = Self.isLoopback(host)
        if scheme == "smtps" {
            guard options.tls != false else {
                throw MailFormatError("smtps:// is encrypted; write smtp:// with tls=off")
            }
            security = .implicitTLS
        } else {
            security = options.tls ?? !isLocal ? .startTLS : .none
        }
        guard username == nil || isLocal || security != .none else {
            throw MailFormatError(
                "a username and its password are sent over TLS only; leave tls=off or the username out")
        }
        port =
            components.port
            ?? (security == .implicitTLS ? Self.securePort : isLocal ? Self.localPort : Self.submissionPort)
        guard (1...Int(UInt16.max)).contains(port) else { throw MailFormatError("has no port from 1 to 65535") }
    }

    /// The address without a password, which it cannot have.
    package var description: String {
        let scheme = security == .implicitTLS ? "smtps" : "smtp"
        return "\(scheme)://\(username.map { "\($0)@" } ?? "")\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The name that the server's certificate must have; `nil` if it must have the address of the connection.
    var certificateName: String? { (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil }

    private static func options(
        _ components: URLComponents
    ) throws(MailFormatError) -> (tls: Bool?, certificates: String?) {
        var result: (tls: Bool?, certificates: String?) = (nil, nil)
        for item in components.queryItems ?? [] {
            switch (item.name, item.value) {
            case ("tls", "on"): result.tls = true
            case ("tls", "off"): result.tls = false
            case ("certificates", let path?) where !path.isEmpty && !path.utf8.contains(0): result.certificates = path
            default:
                throw MailFormatError("has an unknown option; the options are tls=on, tls=off and certificates=FILE")
            }
        }
        return result
    }

    private static func isHost(_ host: String) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "%")
            }
    }

    /// Whether the name or address means this machine.
    static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || ((try? SocketAddress(ipAddress: host, port: 0))?.isLoopback ?? false)
    }
}

extension SocketAddress {
    /// Whether the other end is on this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    var isLoopback: Bool {
        switch self {
        case .v4: ipAddress?.hasPrefix("127.") == true
        case .v6: ipAddress == "::1" || ipAddress?.hasPrefix("::ffff:127.") == true
        case .unixDomainSocket: true
        }
    }
}
