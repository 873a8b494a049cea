import Accounts
import Database
import DatabaseTestSupport
import Events
import GatewayTestSupport
import Logging
import TestSupport
import Testing

@testable import Features
@testable import Gateway

/// Changes of accounts in the journal, from the audit log.
@Suite(.eachEngine) struct AccountEventsTests {
    /// More changes than are read at once, and nothing that changes the database after them.
    @Test func allThatHasChangedIsJournalledAtOnce() async throws {
        let fixture = try await TestAccounts()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let journal = try await EventJournal.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock, logger: logger)
        let user = try #require(try await fixture.caller("ana").principal.member).id
        // It asks nothing itself, so that followers are told by this test only.
        let changes = DatabaseChanges(fixture.database)
        let running = Task {
            await AccountEvents(journal: journal, accounts: fixture.accounts, logger: logger).run(after: changes)
        }
        try await eventually { journal.queuedCount > 0 }
        let known = journal.queuedCount
        for number in 0..<450 {
            _ = try await fixture.accounts.setRole(
                number.isMultiple(of: 2) ? .moderator : .member, of: user, by: TestAccounts.machine)
        }
        #expect(journal.queuedCount == known)
        changes.signal()
        try await eventually { journal.queuedCount == known + 450 }
        running.cancel()
        await running.value
    }
}
