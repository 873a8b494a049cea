import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct AdministrationTests {
    @Test func accountsAreListedPageByPage() async throws {
        let fixture = try await AccountsFixture()
        for number in 0..<45 { try await fixture.account(number % 2 == 0 ? "User\(number)" : "user\(number)") }
        try await fixture.account("mod", .moderator)
        var names: [String] = []
        var cursor: String?
        repeat {
            let page = try await fixture.accounts.accounts(after: cursor, limit: 20)
            #expect(page.items.count <= 20)
            names += page.items.map(\.username)
            cursor = page.next
        } while cursor != nil
        #expect(names.count == 46 && names == names.sorted { $0.lowercased() < $1.lowercased() })
        #expect(
            try await fixture.accounts.accounts(AccountFilter(role: .moderator)).items
                .map(\.username) == ["mod"])
        #expect(
            try await fixture.accounts.accounts(AccountFilter(prefix: "USER4"), limit: 100)
                .items.map(\.username) == ["User4", "User40", "user41", "User42", "user43", "User44"])
        #expect(
            try await fixture.accounts.accounts(AccountFilter(prefix: "%")).items.isEmpty)
        for name in ["Álv.aro", "Álvaro"] { try await fixture.account(name) }
        let first = try await fixture.accounts.accounts(AccountFilter(prefix: "álv"), limit: 1)
        let next = try #require(first.next)
        #expect(next.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil, "cursors stand in addresses")
        let second = try await fixture.accounts.accounts(
            AccountFilter(prefix: "álv"), after: next, limit: 1)
        #expect((first.items + second.items).map(\.username) == ["Álv.aro", "Álvaro"])
        #expect(
            await fixture.code { _ = try await fixture.accounts.accounts(after: "not a name") }
                == .invalidCursor)
        #expect(try await fixture.accounts.accounts(limit: 0).items.count == 1)
        #expect(try await fixture.accounts.account(named: "MOD", by: fixture.machine).role == .moderator)
        #expect(
            await fixture.code { _ = try await fixture.accounts.account(named: "nobody", by: fixture.machine) }
                == .notFound)
    }

    /// Every call whose answer depends on whose account it is about. Endpoints and pages ask before the others.
    @Test func onlyAdministratorsSeeAccountsOfOthers() async throws {
        let fixture = try await AccountsFixture()
        let victim = try await fixture.account("victim").id
        var callers = [Caller(.anonymous, fixture.origin())]
        for role in Role.allCases where role != .administrator {
            callers.append(try await fixture.caller("x-\(role.rawValue)", role))
        }
        let accounts = fixture.accounts
        let calls: [(Caller) async throws -> Void] = [
            { _ = try await accounts.account(victim, by: $0) },
            { _ = try await accounts.account(named: "victim", by: $0) },
            { _ = try await accounts.channelGrants(of: victim, by: $0) },
            { _ = try await accounts.tokens(of: victim, by: $0) },
            {
                _ = try await accounts.createToken(
                    TokenRequest(.apiToken, name: "t", scope: .full), for: victim, password: AccountsFixture.password,
                    by: $0)
            },
        ]
        let before = try await fixture.events().count
        for caller in callers {
            for (number, call) in calls.enumerated() {
                let code = await fixture.code { try await call(caller) }
                #expect(code == (caller.principal == .anonymous ? .loginNeeded : .forbidden), "call \(number)")
            }
        }
        #expect(try await fixture.events().count == before)
        #expect(try await accounts.account(victim, by: fixture.machine).role == .member)
    }

    /// A token that leaks must not outlive its end, and a browser that was left open must not take the account over.
    @Test func aTokenTakesNoAccountOver() async throws {
        let fixture = try await AccountsFixture()
        let administrator = try await fixture.caller("ana", .administrator)
        let own = try #require(administrator.principal.member).id
        let victim = try await fixture.account("bea").id
        let accounts = fixture.accounts
        for kind in TokenKind.allCases {
            let token = try await accounts.createToken(
                TokenRequest(kind, name: "t", scope: .full), password: AccountsFixture.password, by: administrator)
            let member = try #require(administrator.principal.member)
            let principal: Principal =
                kind == .apiToken
                ? .apiToken(member, token.token.id, .full) : .appPassword(member, token.token.id, .full)
            let program = Caller(principal, fixture.origin())
            let attempts: [(String, () async throws -> Void)] = [
                ("password", { try await accounts.setPassword(to: "another long one", of: victim, by: program) }),
                ("own password", { try await accounts.setPassword(to: "another long one", of: own, by: program) }),
                ("link", { _ = try await accounts.passwordResetLink(for: victim, by: program) }),
                ("second factor", { try await accounts.removeSecondFactor(of: own, by: program) }),
                ("role", { _ = try await accounts.setRole(.administrator, of: victim, by: program) }),
                ("invitation", { _ = try await accounts.invite(role: .administrator, by: program) }),
                (
                    "account",
                    {
                        _ = try await accounts.createAccount(
                            Registration(username: "eve", password: AccountsFixture.password), role: .administrator,
                            by: program)
                    }
                ),
            ]
            for (name, attempt) in attempts {
                let error = await #expect(throws: Refusal.self, "\(name)") { try await attempt() }
                #expect(error?.code == .forbidden, "\(name)")
            }
            // What a program for members needs goes on.
            _ = try await accounts.invite(role: .member, by: program)
            _ = try await accounts.suspend(victim, by: program)
            _ = try await accounts.restore(victim, by: program)
        }
        let attempts: [() async throws -> Void] = [
            { try await accounts.setPassword(to: "another long one", of: own, by: administrator) },
            { _ = try await accounts.passwordResetLink(for: own, by: administrator) },
            { try await accounts.removeSecondFactor(of: own, by: administrator) },
        ]
        for attempt in attempts {
            let error = await #expect(throws: Refusal.self) { try await attempt() }
            #expect(error?.code == .passwordNeeded)
        }
        try await accounts.setPassword(to: "another long one", of: victim, by: administrator)
        try await accounts.setPassword(to: "yet another long one", of: own, by: fixture.machine)
    }

    @Test func aGrantIsForOneChannel() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana", .viewer)
        let user = try #require(caller.principal.member?.id)
        let session = try await fixture.logIn("ana")
        func may(_ action: Action, _ channel: String) async throws -> Bool {
            let principal = try #require(
                try await fixture.accounts.principal(session: session.secret.text, from: fixture.origin()))
            return fixture.accounts.may(principal, action, .channel(channel)).isAllowed
        }
        let actions = try ActionSet(parsing: "publish,record")
        try await fixture.accounts.grant(actions, on: "canalA", to: user, by: fixture.machine)
        #expect(try await may(.publish, "canalA"))
        #expect(try await !may(.publish, "canalB"))
        #expect(try await fixture.accounts.channelGrants(of: user, by: caller) == ["canalA": actions])
        try await fixture.accounts.grant([], on: "canalA", to: user, by: fixture.machine)
        #expect(try await !may(.publish, "canalA"))
        for (wrong, channel) in [
            ("administer", "canalA"), ("publish", ""), ("publish", String(repeating: "c", count: 101)),
        ] {
            let actions = try ActionSet(parsing: wrong)
            #expect(
                await fixture.code {
                    try await fixture.accounts.grant(actions, on: channel, to: user, by: fixture.machine)
                } == .invalidField)
        }
    }

    @Test func whatDoesNotExistIsNotFound() async throws {
        let fixture = try await AccountsFixture()
        let nobody = UserID()
        let accounts = fixture.accounts
        let machine = fixture.machine
        let calls: [() async throws -> Void] = [
            { _ = try await accounts.account(nobody, by: machine) },
            { _ = try await accounts.setRole(.member, of: nobody, by: machine) },
            { _ = try await accounts.suspend(nobody, by: machine) },
            { try await accounts.grant(.init([.publish]), on: "canalA", to: nobody, by: machine) },
            { try await accounts.setPassword(to: "another long one", of: nobody, by: machine) },
            { _ = try await accounts.removeAccount(nobody, by: machine) },
            { _ = try await accounts.passwordResetLink(for: nobody, by: machine) },
            { _ = try await accounts.tokens(of: nobody, by: machine) },
            {
                _ = try await accounts.createToken(
                    TokenRequest(.apiToken, name: "t", scope: .full), for: nobody, password: AccountsFixture.password,
                    by: machine)
            },
        ]
        for (number, call) in calls.enumerated() {
            #expect(await fixture.code { try await call() } == .notFound, "call \(number)")
        }
    }

    // MARK: Audit log

    @Test func changesAreNotedWithWhoWhatAndFromWhere() async throws {
        let fixture = try await AccountsFixture()
        let root = try await fixture.caller("root", .administrator)
        let user = try await fixture.account("ana").id
        _ = try await fixture.accounts.setRole(.moderator, of: user, by: root)
        let entries = try await fixture.accounts.auditLog(AuditFilter(subject: user)).items
        #expect(entries.map(\.event) == ["account.role", "account.created"])
        #expect(entries[0].actorID == root.principal.member?.id && entries[0].actorName == "root")
        #expect(entries[0].before == "member" && entries[0].after == "moderator")
        #expect(entries[0].address == "192.0.2.1" && entries[0].happenedAt == fixture.clock.time)
        #expect(entries[1].actorID == nil && entries[1].actorName == "operator token")
        // A change that fails is not noted.
        _ = await fixture.code { _ = try await fixture.accounts.restore(user, by: root) }
        #expect(try await fixture.accounts.auditLog(AuditFilter(subject: user)).items.count == 2)
    }

    @Test func theLogIsSearchedPageByPage() async throws {
        let fixture = try await AccountsFixture()
        let user = try await fixture.account("ana").id
        for number in 0..<30 {
            fixture.clock.advance(by: .seconds(1))
            _ = try await fixture.accounts.setRole(number % 2 == 0 ? .viewer : .member, of: user, by: fixture.machine)
        }
        var numbers: [Int64] = []
        var cursor: String?
        repeat {
            let page = try await fixture.accounts.auditLog(
                AuditFilter(event: "account.role"), after: cursor, limit: 7)
            numbers += page.items.map(\.number)
            cursor = page.next
        } while cursor != nil
        #expect(numbers.count == 30 && numbers == numbers.sorted(by: >) && Set(numbers).count == 30)
        func found(_ filter: AuditFilter) async throws -> Int {
            let page = try await fixture.accounts.auditLog(filter, limit: 100)
            return page.items.count
        }
        #expect(try await found(AuditFilter(event: "account")) == 31)
        #expect(try await found(AuditFilter(event: "acc")) == 0)
        #expect(try await found(AuditFilter(actor: user)) == 0)
        let (since, until) = (TestClock.start + .seconds(11), TestClock.start + .seconds(21))
        #expect(try await found(AuditFilter(since: since, until: until)) == 10)
        for wrong in ["", "x", "-1", "9999999999999999999999"] {
            #expect(
                await fixture.code { _ = try await fixture.accounts.auditLog(after: wrong) }
                    == .invalidCursor)
        }
    }

    @Test func theLogIsBounded() async throws {
        let fixture = try await AccountsFixture {
            $0.auditRetention = .seconds(100)
            $0.maximumAuditEntryCount = 5
        }
        let user = try await fixture.account("ana").id
        for _ in 0..<8 { _ = try await fixture.accounts.setRole(.viewer, of: user, by: fixture.machine) }
        let newest = try await fixture.accounts.auditLog(limit: 5).items.map(\.number)
        try await fixture.accounts.maintain()
        #expect(try await fixture.accounts.auditLog().items.map(\.number) == newest)
        fixture.clock.advance(by: .seconds(101))
        _ = try await fixture.accounts.setRole(.member, of: user, by: fixture.machine)
        try await fixture.accounts.maintain()
        #expect(try await fixture.count("auditEntry") == 1)
    }

    @Test func valuesAreCutAndHarmless() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.database.write { db in
            try AuditRows.append(
                .accountCreated, by: .anonymous, from: fixture.origin("192.0.2.1"), before: "a\nb\u{1B}[31m",
                after: String(repeating: "x", count: 10_000), at: fixture.clock.time, db)
        }
        let entry = try #require(try await fixture.accounts.auditLog().items.first)
        #expect(entry.before == #"a\nb\u{1b}[31m"# && entry.after?.count ?? 0 < 600)
    }
}
