import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import Mail
import SiteTexts
import Synchronization
import TestSupport
import Testing
import Workflows

@testable import Features
@testable import Gateway

/// The mails that the server makes of what pages and API hand over.
@Suite(.eitherEngine) struct AccountMailsTests {
    private final class Drafts: Sendable {
        let value = Mutex<[MailDraft]>([])
    }

    private let fixture: TestAccounts
    private let drafts = Drafts()
    private let mails: AccountMails

    init() async throws {
        fixture = try await TestAccounts {
            $0.confirmsEmail = true
            $0.issuer = "Televisión Uno"
        }
        mails = AccountMails(
            accounts: fixture.accounts,
            publicAddress: try #require(PublicAddress(parsing: "https://tv.example.org:8443")),
            from: try MailAddress("tv@example.org")
        ) { [drafts] draft in drafts.value.withLock { $0.append(draft) } }
    }

    /// The mail that is sent; `nil` for none.
    private func message(_ mail: AccountMail, _ language: SiteLanguage) async throws -> MailMessage? {
        mails.send(mail, in: language)
        let draft = try #require(drafts.value.withLock { $0.popLast() })
        return try await draft()
    }

    private func account(_ email: String? = "ana@example.org") async throws -> Account {
        try await fixture.accounts.createAccount(
            Registration(username: "ana", email: email, password: TestAccounts.password), role: .member,
            by: TestAccounts.machine)
    }

    @Test func aLinkForANewPasswordLeadsToTheSite() async throws {
        let account = try await account()
        let mail = try #require(try await message(.passwordReset(EmailAddress("ANA@EXAMPLE.org")), .english))
        #expect(mail.to.text == "ana@example.org" && mail.from.text == "tv@example.org")
        #expect(mail.subject == "Televisión Uno: a new password" && mail.senderName == "Televisión Uno")
        #expect(mail.text.hasPrefix("Hello ana,\n\nOpen this link within 1 hour to set a new password:\n\n"))
        #expect(mail.text.hasSuffix("\n\nTelevisión Uno\nhttps://tv.example.org:8443\n"))
        let link = try #require(
            mail.text.firstMatch(of: /\nhttps:\/\/tv\.example\.org:8443\/cuenta\/clave\?link=(\S+)\n/)?.1)
        let changed = try await fixture.accounts.resetPassword(
            String(link), to: "another long password", from: TestAccounts.origin)
        #expect(changed.id == account.id)
        #expect(try await message(.passwordReset(EmailAddress("nobody@example.org")), .english) == nil)
    }

    @Test func anAddressIsConfirmedInTheLanguageOfTheVisitor() async throws {
        let outcome = try await fixture.accounts.register(
            Registration(username: "ana", email: "ana@example.org", password: TestAccounts.password),
            from: TestAccounts.origin)
        let link = try #require(outcome.confirmation)
        let mail = try #require(try await message(.confirmation(link, of: outcome.account), .spanish))
        #expect(mail.subject == "Televisión Uno: confirma tu correo" && mail.language == "es")
        #expect(mail.text.contains("en un plazo de 24 horas"))
        #expect(mail.text.contains("\nhttps://tv.example.org:8443/cuenta/confirmar?link=\(link.secret.text)\n"))
        // A second mail makes the first one's link end.
        let again = try #require(
            try await message(.confirmationAgain(EmailAddress("ana@example.org")), .spanish))
        #expect(again.subject == mail.subject && !again.text.contains(link.secret.text))
        let secret = try #require(again.text.firstMatch(of: /link=(\S+)/)?.1)
        let account = try await fixture.accounts.confirmEmail(String(secret), from: TestAccounts.origin)
        #expect(account.state == .active)
        #expect(try await message(.confirmationAgain(EmailAddress("ana@example.org")), .spanish) == nil)
    }

    @Test func aSuspensionSaysWhenItEndsAndWhy() async throws {
        let account = try await account()
        let suspended = try await fixture.accounts.suspend(
            account.id, for: .seconds(86_400), by: TestAccounts.machine)
        let mail = try #require(try await message(.suspended(of: suspended, note: "Spam."), .english))
        #expect(mail.to.text == "ana@example.org" && mail.subject == "Televisión Uno: your account is suspended")
        #expect(mail.text.contains("until January 2, 2026") && mail.text.contains("UTC") && mail.text.contains("Spam."))
        let spanish = try #require(try await message(.suspended(of: suspended, note: ""), .spanish))
        #expect(spanish.text.contains("hasta el 2 de enero de 2026"))
        let forGood = try await fixture.accounts.suspend(account.id, by: TestAccounts.machine)
        #expect(
            try #require(try await message(.suspended(of: forGood, note: ""), .english)).text
                .contains("until an administrator restores it"))
    }

    @Test func noticesHaveNoLinkThatCouldBeUsed() async throws {
        let account = try await account()
        let change = try #require(
            try await message(.addressChange(of: account, to: "new@example.org"), .english))
        #expect(change.to.text == "ana@example.org" && change.text.contains("new@example.org"))
        let password = try #require(try await message(.passwordChanged(of: account), .spanish))
        #expect(password.to.text == "ana@example.org")
        for mail in [change, password] { #expect(!mail.text.contains("link=")) }
    }

    @Test func whoHasNoAddressGetsNoMail() async throws {
        let account = try await account(nil)
        #expect(try await message(.passwordChanged(of: account), .english) == nil)
        #expect(try await message(.addressChange(of: account, to: "new@example.org"), .english) == nil)
    }
}
