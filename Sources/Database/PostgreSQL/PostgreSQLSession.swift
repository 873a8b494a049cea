import CLibPQ
import Crypto
import Foundation
import Glibc
import MediaCore

/// One connection to PostgreSQL. All calls wait with a deadline and never longer: whatever the server does, the thread
/// comes back. Used by one thread at a time.
final class PostgreSQLSession {
    private let functions: AntenaPQFunctions
    private let connection: OpaquePointer
    /// The end of the call that is running.
    var deadline: ContinuousClock.Instant
    /// The last failure of a statement in this transaction; `nil` if all have succeeded.
    private(set) var failure: PostgreSQLFailure?
    /// Whether the connection can run another transaction.
    private(set) var isUsable = true
    /// Statements that are prepared on this connection: their names, by text.
    private var prepared: [String: String] = [:]

    /// Statements in PostgreSQL's spelling, by text.
    private var translations: [String: String] = [:]

    /// Limit on prepared statements of a connection. All are dropped when it is reached: the program has about a
    /// hundred.
    private static let maximumPreparedCount = 400

    /// Connects.
    ///
    /// - Throws: ``PostgreSQLFailure`` if the server does not accept the connection before the deadline.
    init(_ address: PostgreSQLAddress, deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
        var message = [CChar](repeating: 0, count: Int(ANTENA_PQ_MESSAGE_CAPACITY))
        guard antena_pq_load(&message, message.count) == 0 else {
            throw .lost(message.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" })
        }
        let functions = antena_pq_functions().pointee
        self.functions = functions
        self.deadline = deadline
        let settings = [
            ("dbname", address.connectionString), ("application_name", "antena"), ("client_encoding", "UTF8"),
        ]
        let started = CStrings.with(settings.map(\.0)) { names in
            CStrings.with(settings.map(\.1)) { values in functions.PQconnectStartParams(names, values, 1) }
        }
        guard let started else { throw .lost("there is no memory for a connection") }
        connection = started
        // From here on an error runs `deinit`, which closes the connection.
        antena_pq_discard_notices(connection)
        try finishConnecting()
        guard functions.PQsetnonblocking(connection, 1) == 0 else { throw .lost(connectionMessage) }
    }

    deinit { functions.PQfinish(connection) }

    var serverVersion: Int { Int(functions.PQserverVersion(connection)) }

    private func finishConnecting() throws(PostgreSQLFailure) {
        guard functions.PQstatus(connection) != CONNECTION_BAD else { throw .lost(connectionMessage) }
        var step = PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            switch step {
            case PGRES_POLLING_READING: try wait(for: POLLIN)
            case PGRES_POLLING_WRITING: try wait(for: POLLOUT)
            default: throw .lost(connectionMessage)
            }
            step = functions.PQconnectPoll(connection)
        }
    }

    private var connectionMessage: String {
        functions.PQerrorMessage(connection).map { String(cString: $0) } ?? "no reason given"
    }

    // MARK: Statements

    /// Forgets the failure of the transaction before.
    func beginTransaction() { failure = nil }

    /// Runs one or several statements without parameters.
    ///
    /// - Returns: the command tag of the last one, such as `COMMIT`.
    @discardableResult func run(_ sql: String) throws(PostgreSQLFailure) -> String {
        try send { functions.PQsendQuery(connection, sql) }
        let result = try lastResult()
        defer { result.clear() }
        return result.commandTag
    }

    /// Runs one statement with parameters.
    ///
    /// - Parameters:
    ///   - sql: parameters are `$1`, `$2`, ….
    ///   - isPrepared: whether the statement is prepared once and used again.
    func run(_ sql: String, _ arguments: [SQLValue], isPrepared: Bool) throws(PostgreSQLFailure) -> PostgreSQLResult {
        let values = arguments.map(PostgreSQLText.text)
        if isPrepared {
            let name = try name(ofPrepared: sql)
            try send {
                CStrings.with(values) { values in
                    functions.PQsendQueryPrepared(connection, name, Int32(arguments.count), values, nil, nil, 0)
                }
            }
        } else {
            try send {
                CStrings.with(values) { values in
                    functions.PQsendQueryParams(connection, sql, Int32(arguments.count), nil, values, nil, nil, 0)
                }
            }
        }
        return try lastResult()
    }

    /// The statement in PostgreSQL's spelling.
    func translated(_ sql: String) -> String {
        if let known = translations[sql] { return known }
        if translations.count >= Self.maximumPreparedCount { translations = [:] }
        let translation = PostgreSQLStatement.translated(sql)
        translations[sql] = translation
        return translation
    }

    /// The name under which a statement is prepared. It follows from the text: behind a pooler another program may have
    /// prepared statements on the same connection of the server, and one name must never stand for two texts.
    static func preparedName(of sql: String) -> String {
        "antena_\(SHA256.hash(data: Data(sql.utf8)).prefix(preparedDigestByteCount).hexadecimalDigits)"
    }

    /// PostgreSQL cuts names off after 63 bytes.
    private static let preparedDigestByteCount = 16

    private func name(ofPrepared sql: String) throws(PostgreSQLFailure) -> String {
        if let name = prepared[sql] { return name }
        if prepared.count >= Self.maximumPreparedCount {
            try run("DEALLOCATE ALL")
            prepared = [:]
        }
        let name = Self.preparedName(of: sql)
        try send { functions.PQsendPrepare(connection, name, sql, 0, nil) }
        try lastResult().clear()
        prepared[sql] = name
        return name
    }

    private func send(_ call: () -> Int32) throws(PostgreSQLFailure) {
        guard call() == 1 else { throw note(.lost(connectionMessage)) }
        while true {
            switch functions.PQflush(connection) {
            case 0: return
            case 1:
                // The server may have to send before it takes more.
                try wait(for: POLLIN | POLLOUT)
                guard functions.PQconsumeInput(connection) == 1 else { throw note(.lost(connectionMessage)) }
            default: throw note(.lost(connectionMessage))
            }
        }
    }

    /// The result of the last statement that was sent.
    private func lastResult() throws(PostgreSQLFailure) -> PostgreSQLResult {
        var last: PostgreSQLResult?
        var failed: PostgreSQLFailure?
        while true {
            while functions.PQisBusy(connection) == 1 {
                do throws(PostgreSQLFailure) {
                    try wait(for: POLLIN)
                    guard functions.PQconsumeInput(connection) == 1 else { throw .lost(connectionMessage) }
                } catch {
                    last?.clear()
                    throw note(error)
                }
            }
            guard let pointer = functions.PQgetResult(connection) else { break }
            last?.clear()
            let result = PostgreSQLResult(pointer, functions)
            last = result
            if failed == nil, let failure = result.failure {
                failed = failure
                failed?.endsConnection = functions.PQstatus(connection) == CONNECTION_BAD
            }
        }
        if let failed {
            last?.clear()
            throw note(failed)
        }
        guard let last else { throw note(.lost(connectionMessage)) }
        return last
    }

    private func note(_ failure: PostgreSQLFailure) -> PostgreSQLFailure {
        if failure.endsConnection { isUsable = false }
        self.failure = failure
        return failure
    }

    // MARK: Waiting

    private func wait(for events: Int32) throws(PostgreSQLFailure) {
        let socket = functions.PQsocket(connection)
        guard socket >= 0 else { throw note(.lost(connectionMessage)) }
        while true {
            let left = deadline - .now
            guard left > .zero else { throw note(.lost("it did not answer in time")) }
            var entry = pollfd(fd: socket, events: Int16(truncatingIfNeeded: events), revents: 0)
            let count = poll(&entry, 1, Int32(clamping: left.wholeMilliseconds.addingSaturating(1)))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw note(.lost("poll: \(String(cString: strerror(errno)))")) }
        }
    }
}
