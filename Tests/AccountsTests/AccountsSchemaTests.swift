import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

struct AccountsSchemaTests {
    @Test(arguments: [(TestEngine.sqlite, TestEngine.postgreSQL), (.postgreSQL, .sqlite)])
    func accountsMoveToAnotherEngine(_ from: TestEngine, _ to: TestEngine) async throws {
        let target = try TestDatabase(to)
        try await TestEngine.$current.withValue(from) {
            let fixture = try await AccountsFixture()
            let caller = try await fixture.caller("José", email: "jose@example.org")
            let token = try await fixture.accounts.createToken(
                TokenRequest(.apiToken, name: "t", scope: Scope(actions: .all, channels: ["canalA"])),
                password: AccountsFixture.password, by: caller)
            _ = try await fixture.accounts.beginSecondFactor(password: AccountsFixture.password, by: caller)
            _ = try await fixture.accounts.authorizeDevice(from: fixture.origin())
            _ = try await fixture.accounts.setUpLink()
            let database = try await target.open()
            _ = try await DatabaseCopy([AccountsSchema.schema], program: "test", batchSize: 3) { _ in }
                .run(from: fixture.database, to: database)
            let copied = try await Accounts.open(
                database, program: "test", hasher: fixture.hasher, settings: AccountsSettings(),
                sealingKey: fixture.key, wallClock: fixture.clock.wallClock, uptime: { fixture.clock.elapsed })
            _ = try await copied.logIn("JOSÉ", password: AccountsFixture.password, from: fixture.origin())
            let principal = try await copied.principal(bearer: token.secret.text, from: fixture.origin())
            #expect(principal?.scope == token.token.scope)
            // Numbers of the audit log go on after those that were copied.
            let numbers = try await copied.auditLog().items.map(\.number)
            #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == numbers.count)
        }
    }

    @Test func theReportKnowsAllTablesAndIndexes() async throws {
        for engine in TestEngine.allCases {
            try await TestEngine.$current.withValue(engine) {
                let fixture = try await AccountsFixture()
                let report = try await DatabaseReport(
                    of: fixture.database, schemas: [AccountsSchema.schema], checksIntegrity: false)
                #expect(report.problems.isEmpty, "\(engine)")
            }
        }
    }

    /// The look-ups of each request must not read a table.
    @Test func lookUpsUseIndexes() async throws {
        let fixture = try await AccountsFixture()
        let statements = [
            "SELECT 1 FROM accountSession AS s JOIN account AS a ON a.id = s.userID WHERE s.digest = ?1",
            "SELECT 1 FROM accountToken AS t JOIN account AS a ON a.id = t.userID WHERE t.digest = ?1",
            "SELECT 1 FROM account WHERE usernameKey = ?1", "SELECT 1 FROM account WHERE emailKey = ?1",
            "SELECT 1 FROM accountLink WHERE digest = ?1", "SELECT 1 FROM deviceGrant WHERE userCode = ?1",
            "SELECT 1 FROM logInChallenge WHERE digest = ?1", "SELECT 1 FROM channelGrant WHERE userID = ?1",
            "SELECT 1 FROM auditEntry WHERE subjectID = ?1 ORDER BY number DESC LIMIT 20",
            "SELECT 1 FROM accountSession WHERE userID = ?1 ORDER BY createdAt DESC",
        ]
        for statement in statements {
            let plan = try await fixture.database.read { db in try db.plan(of: statement, [.text("x")]) }
            #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(statement): \(plan)")
        }
    }
}
