import CLibPQ

/// A result of libpq, whose values are text. The owner calls ``clear()`` once.
struct PostgreSQLResult {
    private let result: OpaquePointer
    private let functions: AntenaPQFunctions

    init(_ result: OpaquePointer, _ functions: AntenaPQFunctions) {
        self.result = result
        self.functions = functions
    }

    func clear() { functions.PQclear(result) }

    /// The failure that the server reports; `nil` if the statement succeeded.
    var failure: PostgreSQLFailure? {
        switch functions.PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return nil
        default:
            let message = functions.PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
            return PostgreSQLFailure(
                state: String(cString: antena_pq_sql_state(result)), message: message, endsConnection: false)
        }
    }

    var commandTag: String { functions.PQcmdStatus(result).map { String(cString: $0) } ?? "" }
    /// Number of rows that the statement changed.
    var changedCount: Int { functions.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }
    var rowCount: Int { Int(functions.PQntuples(result)) }
    var columnCount: Int { Int(functions.PQnfields(result)) }
    var columnNames: [String] {
        (0..<columnCount).map { functions.PQfname(result, Int32($0)).map { String(cString: $0) } ?? "" }
    }

    /// A value as text; `nil` for `NULL`.
    func bytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        guard functions.PQgetisnull(result, Int32(row), Int32(column)) == 0,
            let start = functions.PQgetvalue(result, Int32(row), Int32(column))
        else { return nil }
        return UnsafeRawBufferPointer(
            start: start, count: Int(functions.PQgetlength(result, Int32(row), Int32(column))))
    }
}
