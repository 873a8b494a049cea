import Testing

@testable import Database

/// Behind a pooler, programs share the prepared statements of a connection: had two statements one name, an `INSERT`
/// could run as a `SELECT` and count as done.
struct PreparedNameTests {
    @Test func aNameStandsForOneText() {
        let insert = PostgreSQLSession.preparedName(of: "INSERT INTO t VALUES ($1)")
        let select = PostgreSQLSession.preparedName(of: "SELECT 1 FROM t WHERE x = $1")
        #expect(insert != select)
        #expect(insert == PostgreSQLSession.preparedName(of: "INSERT INTO t VALUES ($1)"))
        #expect(insert.utf8.count <= 63, "PostgreSQL cuts longer names off")
    }
}
