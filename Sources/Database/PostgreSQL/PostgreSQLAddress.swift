import Foundation

/// A parsed `postgres://` URL.
package struct PostgreSQLAddress: Sendable, Hashable {
    /// The address for libpq: the URL without the settings below.
    let connectionString: String
    /// The schema of the tables; `nil` for the role's own search path.
    let schema: String?
    /// Number of connections at most.
    let poolSize: Int
    /// The URL without its password.
    package let description: String

    static let defaultPoolSize = 8
    private static let poolSizes = 1...64
    /// PostgreSQL cuts longer names.
    private static let maximumSchemaByteCount = 63

    /// Parses `postgres://user@host:port/database?sslmode=…&schema=…&pool=…`.
    ///
    /// All parameters of libpq's connection URIs (PostgreSQL documentation 34.1.1.2) are passed on to it; `schema` and
    /// `pool` are Antena's.
    ///
    /// - Throws: ``SQLError`` with `invalidAddress`.
    package init(parsing text: String) throws(SQLError) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            throw SQLError(.invalidAddress, "the database address does not begin with postgres://")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var kept: [Substring] = []
        var schema: String?
        var poolSize = Self.defaultPoolSize
        for setting in parts.dropFirst().flatMap({ $0.split(separator: "&") }) {
            let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? String(pair[1]).removingPercentEncoding ?? "" : ""
            switch pair[0] {
            case "schema":
                guard (1...Self.maximumSchemaByteCount).contains(value.utf8.count), !value.utf8.contains(0) else {
                    throw SQLError(
                        .invalidAddress,
                        "`schema` in the database address must have 1 to \(Self.maximumSchemaByteCount) bytes")
                }
                schema = value
            case "pool":
                guard let count = Int(value), Self.poolSizes.contains(count) else {
                    throw SQLError(
                        .invalidAddress,
                        """
                        `pool` in the database address must be a number from \(Self.poolSizes.lowerBound) to \
                        \(Self.poolSizes.upperBound)
                        """)
                }
                poolSize = count
            default: kept.append(setting)
            }
        }
        self.schema = schema
        self.poolSize = poolSize
        connectionString = parts[0] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        // A password may also be given as a parameter.
        description =
            Self.withoutPassword(parts[0])
            + Self.joined(
                parts.dropFirst().flatMap { $0.split(separator: "&") }.filter { !$0.hasPrefix("password=") })
    }

    private static func joined(_ settings: [Substring]) -> String {
        settings.isEmpty ? "" : "?" + settings.joined(separator: "&")
    }

    private static func withoutPassword(_ text: Substring) -> String {
        guard let scheme = text.firstRange(of: "://") else { return String(text) }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return String(text)
        }
        return String(text[..<colon]) + rest[at...]
    }
}
