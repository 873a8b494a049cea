import Foundation
import MediaCore

/// Checks that nginx, as a cache in front of the server, keeps copies of media only under the name that Antena gives
/// them. The first `docs/edge/nginx.conf` kept them by what nginx itself read in the address, and gave what has a price
/// to strangers who wrote its address in another way.
struct EdgeConfigurationCheck: DoctorCheck {
    let name = "edge"
    /// The path of the configuration.
    let file: String
    let content: Content

    /// The content of the file.
    enum Content: Sendable, Hashable {
        case unreadable(String)
        /// - Parameters:
        ///   - keys: the texts of `proxy_cache_key`; without one, nginx uses the whole address as it was written.
        ///   - mediaVariables: the variables that hold Antena's name for the media.
        ///   - keepsCopies: whether anything is kept.
        ///   - hidesClients: whether Antena is asked about media without being told the client's address.
        case read(keys: [String], mediaVariables: Set<String>, keepsCopies: Bool, hidesClients: Bool)
    }

    /// Limit of the file; the documented one has 8 KB.
    static let maximumByteCount = 1 << 20
    /// The field of the answer of `/api/v1/authorize`, as nginx names it.
    private static let mediaField = "$upstream_http_x_antena_media"
    /// The address as it was written, which is also what Antena gets.
    private static let wholeAddress = "$request_uri"

    var finding: DoctorFinding {
        switch content {
        case .unreadable(let reason):
            return .problem("\(file): \(reason)", remedy: "name an nginx configuration that this user can read")
        case .read(_, _, keepsCopies: false, _): return .ok("\(file) caches nothing")
        case .read(let keys, let variables, _, let hidesClients):
            guard let key = keys.first(where: { !Self.isSafe($0, variables) }) else {
                guard hidesClients else { return .ok("\(file) caches media under the keys that Antena expects") }
                return .warning(
                    "\(file) does not tell Antena the addresses of clients, which then counts the devices that watch a "
                        + "rental by their programs only",
                    remedy: "set X-Forwarded-For as docs/edge/nginx.conf does, and name the proxy with --trusted-proxy")
            }
            return .problem(
                "\(file) caches under the key \"\(key)\", which nginx derives from an address that Antena reads "
                    + "otherwise: strangers can get media that has a price or is for invited people",
                remedy: "use docs/edge/nginx.conf of this version, and delete the folder of proxy_cache_path")
        }
    }

    /// Whether nobody can have a copy kept under the key of another.
    private static func isSafe(_ key: String, _ mediaVariables: Set<String>) -> Bool {
        let variables = Set(key.matches(of: /\$([A-Za-z0-9_]+)/).map { "$\($0.1)" })
        return variables.contains(wholeAddress) || !variables.isDisjoint(with: mediaVariables)
    }

    /// Reads the file; `include` is not followed.
    static func examine(_ file: String) -> EdgeConfigurationCheck {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file))
            defer { try? handle.close() }
            let bytes = try handle.read(upToCount: maximumByteCount + 1) ?? Data()
            guard bytes.count <= maximumByteCount else {
                return EdgeConfigurationCheck(file: file, content: .unreadable("is too large for a configuration"))
            }
            return EdgeConfigurationCheck(file: file, content: content(String(decoding: bytes, as: UTF8.self)))
        } catch {
            return EdgeConfigurationCheck(file: file, content: .unreadable("\(FileErrorText(error))"))
        }
    }

    /// The caching rules of a configuration.
    static func content(_ text: String) -> Content {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            // `${name}` is a variable, and every other brace begins or ends a block.
            line.prefix { $0 != "#" }.replacing(/\$\{([A-Za-z0-9_]+)\}/) { "$\($0.1)|" }
        }
        var keys: [String] = []
        var variables: Set<String> = []
        var (keepsCopies, asks, namesClients) = (false, false, false)
        for line in lines {
            for directive in line.split(whereSeparator: { ";{}".contains($0) }) {
                let words = directive.split { $0 == " " || $0 == "\t" }
                guard let name = words.first else { continue }
                switch name {
                case "proxy_cache" where words.dropFirst().first != "off": keepsCopies = true
                case "proxy_cache_key":
                    keys.append(words.dropFirst().joined(separator: " ").filter { $0 != "\"" && $0 != "'" })
                case "auth_request" where words.dropFirst().first != "off": asks = true
                case "proxy_set_header" where words.dropFirst().first?.lowercased() == "x-forwarded-for":
                    namesClients = true
                case "auth_request_set" where words.count >= 3 && words[2] == mediaField:
                    variables.insert(String(words[1]))
                default: break
                }
            }
        }
        return .read(
            keys: keys, mediaVariables: variables, keepsCopies: keepsCopies, hidesClients: asks && !namesClients)
    }

    init(file: String, content: Content) {
        self.file = file
        self.content = content
    }
}
