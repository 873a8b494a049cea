import Database
import DatabaseTestSupport
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct CommunitySchemaTests {
    @Test func theSchemaDescribesTheTables() async throws {
        let fixture = try await CommunityFixture()
        for table in CommunitySchema.schema.tables {
            let columns = table.columns.map(\.name).joined(separator: ", ")
            let count: Int64? = try await fixture.database.read { db in
                try db.firstValue("SELECT COUNT(*) FROM (SELECT \(columns) FROM \(table.name)) AS described")
            }
            #expect(count == 0, "\(table.name)")
        }
    }
}
