import Accounts
import Database
import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import TestSupport
import Testing
import Workflows

@testable import WebSite

/// Journeys with a link that comes by mail.
extension AccountPagesTests {
    private static let newPassword = "another long password"

    /// The pages of a server that sends mail, and what it would send.
    private func mailing() -> (table: EndpointTable, mailer: RecordingMailer) {
        fixture.accounts.settings.confirmsEmail = true
        let mailer = RecordingMailer()
        let table = EndpointTable.serving(InMemoryContent(), authority: TestOperator.authority(fixture.accounts)) {
            $0.mailer = mailer
        }
        return (table, mailer)
    }

    private func account(_ name: String, email: String) async throws -> Account {
        try await fixture.accounts.createAccount(
            Registration(username: name, email: email, password: TestAccounts.password), role: .member,
            by: TestAccounts.machine)
    }

    private func logIn(_ browser: Browser, _ name: String, _ password: String = TestAccounts.password) async throws {
        try await browser.open("/cuenta/entrar")
        try await browser.submit("/cuenta/entrar", ["username": name, "password": password])
    }

    private func rows(_ table: String) async throws -> Int {
        try await fixture.database.read { db in
            try db.first("SELECT count(*) FROM \(table)", []) { (row) throws -> Int in try row.value(0) } ?? -1
        }
    }

    @Test func whoSignsUpConfirmsTheAddressAndLogsIn() async throws {
        let (table, mailer) = mailing()
        let browser = Browser(table, language: "es")
        try await browser.open("/cuenta/registro")
        try await browser.submit(
            "/cuenta/registro",
            ["username": "ana", "email": "ana@example.org", "password": TestAccounts.password])
        #expect(browser.html.contains("Sigue el enlace del correo") && browser.cookie == nil)
        let sent = mailer.take()
        guard case .confirmation(let link, let account) = sent.first?.mail else {
            Issue.record("no mail: \(sent)")
            return
        }
        #expect(sent.count == 1 && sent.first?.language == .spanish && account.username == "ana")
        #expect(link.link.email == "ana@example.org" && !browser.html.contains(link.secret.text))
        // Before that nobody logs in, and the page says how to get the mail again.
        try await logIn(browser, "ana")
        #expect(browser.cookie == nil && browser.html.contains("href=\"/cuenta/confirmar\""))
        try await browser.open("/cuenta/confirmar")
        try await browser.submit("/cuenta/confirmar", ["email": "Ana@example.org"])
        #expect(mailer.take().map(\.mail) == [.confirmationAgain(try EmailAddress("Ana@example.org"))])
        // Looking at the link uses nothing up.
        let path = "/cuenta/confirmar?link=\(link.secret.text)"
        try await Browser(table).open(path)
        try await browser.open(path)
        try await browser.submit("/cuenta/confirmar")
        #expect(browser.html.contains("Tu correo está confirmado"))
        try await logIn(browser, "ana@example.org")
        #expect(browser.cookie != nil && mailer.take().isEmpty)
        try await browser.open(path)
        try await browser.submit("/cuenta/confirmar")
        #expect(browser.status == .gone)
    }

    @Test func aForgottenPasswordIsReplacedAndOldSessionsEnd() async throws {
        let (table, mailer) = mailing()
        let account = try await account("ana", email: "ana@example.org")
        let thief = Browser(table)
        try await logIn(thief, "ana")
        #expect(thief.cookie != nil)
        let browser = Browser(table)
        try await browser.open("/cuenta/entrar")
        #expect(browser.html.contains("href=\"/cuenta/clave\""))
        try await browser.open("/cuenta/clave")
        try await browser.submit("/cuenta/clave", ["email": "ANA@example.org"])
        #expect(browser.status == .ok && browser.html.contains("a mail is on its way"))
        guard case .passwordReset(let email) = mailer.take().first?.mail else {
            Issue.record("no mail")
            return
        }
        // What the mailer does when its turn comes.
        let made = try #require(try await fixture.accounts.requestPasswordReset(for: email))
        #expect(made.account.id == account.id && made.link.link.email == "ana@example.org")
        try await browser.open("/cuenta/clave?link=\(made.link.secret.text)")
        try await browser.submit("/cuenta/clave", ["password": "abc"])
        #expect(browser.status == .unprocessableContent && mailer.take().isEmpty)
        try await browser.submit("/cuenta/clave", ["password": Self.newPassword])
        #expect(browser.html.contains("Your password is changed") && browser.cookie == nil)
        guard case .credentialsEnded(let notified) = mailer.take().first?.mail else {
            Issue.record("no notice")
            return
        }
        #expect(notified.email == "ana@example.org")
        fixture.clock.advance(by: .seconds(2))
        try await thief.open("/cuenta")
        #expect(thief.cookie == nil && thief.heading == "Log in")
        try await logIn(browser, "ana", Self.newPassword)
        #expect(browser.cookie != nil)
    }

    /// The answer shows nothing, and nothing is looked up or stored before it: that is left to the queue.
    @Test(arguments: ["/cuenta/clave", "/cuenta/confirmar"])
    func unknownAddressesGetTheSameAnswer(_ path: String) async throws {
        let (table, mailer) = mailing()
        let known = try await account("ana", email: "ana@example.org")
        _ = try await account("eva", email: "eva@example.org")
        _ = try await fixture.accounts.suspend(known.id, by: TestAccounts.machine)
        var answers: Set<String> = []
        for address in ["ana@example.org", "eva@example.org", "nobody@example.org"] {
            let browser = Browser(table)
            try await browser.open(path)
            try await browser.submit(path, ["email": address])
            answers.insert("\(browser.status) \(browser.html)")
            #expect(mailer.take().count == 1)
        }
        #expect(answers.count == 1)
        #expect(try await rows("accountLink") == 0)
        // Nor do the limits tell them apart.
        var refusals: Set<String> = []
        for address in ["eva@example.org", "nobody@example.org"] {
            let browser = Browser(table)
            for _ in 0..<3 { try await browser.post(path, "email=\(address)") }
            #expect(browser.status == .tooManyRequests)
            refusals.insert(browser.problem)
        }
        #expect(refusals.count == 1)
        let browser = Browser(table)
        try await browser.open(path)
        try await browser.submit(path, ["email": "no address"])
        #expect(browser.status == .unprocessableContent && browser.html.contains("id=\"wrong-email\""))
    }

    @Test func aNewAddressIsConfirmedAndTheOldOneIsTold() async throws {
        let (table, mailer) = mailing()
        _ = try await account("ana", email: "ana@example.org")
        let browser = Browser(table)
        try await logIn(browser, "ana")
        try await browser.open("/cuenta/seguridad")
        try await browser.submit(
            "/cuenta/correo", ["email": "new@example.org", "currentPassword": "wrong"])
        #expect(browser.status == .forbidden && mailer.take().isEmpty)
        try await browser.submit(
            "/cuenta/correo", ["email": "new@example.org", "currentPassword": TestAccounts.password])
        #expect(browser.html.contains("Until then the old one stays.") && browser.html.contains("ana@example.org"))
        let sent = mailer.take().map(\.mail)
        guard sent.count == 2, case .newAddress(let link, _) = sent[0], case .addressChange(let old, let new) = sent[1]
        else {
            Issue.record("unexpected mails: \(sent)")
            return
        }
        #expect(link.link.email == "new@example.org" && old.email == "ana@example.org" && new == "new@example.org")
        try await browser.open("/cuenta/confirmar?link=\(link.secret.text)")
        try await browser.submit("/cuenta/confirmar")
        try await browser.open("/cuenta/seguridad")
        #expect(browser.html.contains("value=\"new@example.org\""))
        try await browser.submit(
            "/cuenta/contrasena", ["password": Self.newPassword, "currentPassword": TestAccounts.password])
        guard case .passwordChanged(let account) = mailer.take().first?.mail else {
            Issue.record("no notice")
            return
        }
        #expect(account.email == "new@example.org")
    }

    @Test func withoutMailALinkComesFromAnAdministrator() async throws {
        _ = try await account("ana", email: "ana@example.org")
        let table = EndpointTable.serving(InMemoryContent(), authority: TestOperator.authority(fixture.accounts))
        let browser = Browser(table)
        try await browser.open("/cuenta/clave")
        #expect(browser.html.contains("Ask an administrator for a link") && !browser.html.contains("name=\"email\""))
        try await browser.post("/cuenta/clave", "email=ana@example.org")
        #expect(browser.status == .notFound)
        #expect(try await rows("accountLink") == 0)
    }
}
