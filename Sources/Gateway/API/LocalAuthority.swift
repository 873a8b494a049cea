#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether a request's Host is this machine by a name that nobody else can give it: an address, `localhost`, or the
/// machine's own name.
///
/// A browser on this machine takes its requests to wherever a stranger's name leads at the moment, 127.0.0.1 included (DNS
/// rebinding), and what a proxy on this machine passes on comes from 127.0.0.1, too: the address alone does not tell that
/// the machine's own people ask.
enum LocalAuthority {
    /// - Parameter authority: `host:port`, as RFC 9110 §7.2 has it; `nil` from programs that send none, which no browser
    ///   is.
    static func isLocal(_ authority: String?, machineName: String = Self.machineName) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        let host = host(of: authority).lowercased()
        let own = machineName.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || isAddress(host)
            || !own.isEmpty && (host == own || host == own.prefix { $0 != "." })
    }

    private static let machineName: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }

    private static func isAddress(_ host: String) -> Bool {
        var bytes = (UInt64(0), UInt64(0))
        return inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
    }
}
