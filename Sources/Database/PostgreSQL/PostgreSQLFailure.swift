/// A failure that PostgreSQL or the connection to it reports.
struct PostgreSQLFailure: Error {
    /// The SQLSTATE (PostgreSQL documentation, appendix A); empty if the failure is not the server's.
    var state: String
    var message: String
    /// Whether the connection cannot be used any more.
    var endsConnection: Bool

    /// The connection is lost, or could not be made.
    static func lost(_ message: String) -> PostgreSQLFailure {
        PostgreSQLFailure(state: "", message: message, endsConnection: true)
    }

    /// Whether the transaction failed because of another one and may succeed if it is repeated.
    var isCausedByAnotherTransaction: Bool { state == "40001" || state == "40P01" }

    /// Whether a prepared statement is not known, or known already: a connection pooler such as PgBouncer, which gives
    /// each transaction another connection, does not support them.
    var isAboutPreparedStatement: Bool { state == "26000" || state == "42P05" || state == "08P01" }

    /// Whether the server is away, starting, stopping or full.
    var isUnavailability: Bool {
        if endsConnection || state.hasPrefix("08") { return true }
        return ["57P01", "57P02", "57P03", "57014", "53300", "53400", "25006"].contains(state)
    }

    /// Parts of the messages of libpq and OpenSSL about a certificate; neither gives a code.
    private static let certificateFailures = ["certificate verify failed", "does not match host name"]

    func error(address: String) -> SQLError {
        let reason = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        if Self.certificateFailures.contains(where: reason.contains) {
            return SQLError(
                .unavailable,
                """
                the certificate of the database \(address) is not accepted: \(reason). Name the certificate of its \
                authority with sslrootcert, and the server as its certificate does
                """)
        }
        if isUnavailability {
            return SQLError(.unavailable, "the database \(address) does not answer: \(reason)")
        }
        if state.hasPrefix("23") {
            return SQLError(.constraint, "the database \(address) refuses a change: \(reason) (SQLSTATE \(state))")
        }
        if state == "53100" {
            return SQLError(.diskFull, "the database \(address) cannot be written: \(reason). Make room on its disk")
        }
        if state == "42501" {
            return SQLError(
                .notWritable, "the database \(address) denies access: \(reason). Grant the role the missing permission")
        }
        return SQLError(.failed, "the database \(address) cannot be used: \(reason) (SQLSTATE \(state))")
    }
}
