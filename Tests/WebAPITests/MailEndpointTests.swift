import APIContract
import Accounts
import DatabaseTestSupport
import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import NIOCore
import TestSupport
import Testing
import Workflows

@testable import WebAPI

/// Links that come by mail, for programs.
@Suite(.eitherEngine) struct MailEndpointTests {
    private let fixture: TestAccounts
    private let mailer = RecordingMailer()

    init() async throws { fixture = try await TestAccounts { $0.confirmsEmail = true } }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String, token: String? = nil, mails: Bool = true,
        ifMatch: String? = nil
    ) async throws -> TestResponse {
        let table = EndpointTable.serving(InMemoryContent(), authority: TestOperator.authority(fixture.accounts)) {
            $0.mailer = mails ? mailer : nil
        }
        var headers: HTTPFields = [.contentType: "application/json", .acceptLanguage: "es-ES,es;q=0.9,en;q=0.5"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        headers[.ifMatch] = ifMatch
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(
                uri: "/api/v1/\(path)", method: method, headers: headers, body: ByteBuffer(string: body))
        }
    }

    private func logIn(_ name: String, _ password: String = TestAccounts.password) async throws -> HTTPResponse.Status {
        try await send(.post, "session", #"{"username": "\#(name)", "password": "\#(password)"}"#).status
    }

    @Test func whoSignsUpConfirmsTheAddressAndLogsIn() async throws {
        let created = try await send(
            .post, "users",
            #"{"username": "ana", "email": "ana@example.org", "password": "\#(TestAccounts.password)"}"#)
        #expect(created.status == .created && String(buffer: created.body).contains("awaitingConfirmation"))
        let sent = mailer.take()
        guard case .confirmation(let link, _) = sent.first?.mail else {
            Issue.record("no mail")
            return
        }
        #expect(sent.first?.language == .spanish && !String(buffer: created.body).contains(link.secret.text))
        #expect(try await logIn("ana") == .forbidden)
        #expect(
            try await send(.post, "email-confirmations", #"{"email": "ana@example.org"}"#).status == .accepted)
        #expect(mailer.take().map(\.mail) == [.confirmationAgain(try EmailAddress("ana@example.org"))])
        let confirmed = try await send(.put, "email-confirmations", #"{"link": "\#(link.secret.text)"}"#)
        let answer = try JSONParser.parse(confirmed.body.readableBytesView)
        #expect(answer["username"]?.string == "ana" && answer["state"]?.string == "active")
        #expect(try await send(.put, "email-confirmations", #"{"link": "\#(link.secret.text)"}"#).status == .gone)
        #expect(try await logIn("ana") == .ok)
    }

    @Test func aForgottenPasswordIsReplacedAndOldSessionsEnd() async throws {
        _ = try await fixture.accounts.createAccount(
            Registration(username: "ana", email: "ana@example.org", password: TestAccounts.password), role: .member,
            by: TestAccounts.machine)
        guard
            case .session(let session) = try await fixture.accounts.logIn(
                "ana", password: TestAccounts.password, from: TestAccounts.origin)
        else {
            Issue.record("a new account has no second factor")
            return
        }
        let known = try await send(.post, "password-resets", #"{"email": "ANA@example.org"}"#)
        let unknown = try await send(.post, "password-resets", #"{"email": "nobody@example.org"}"#)
        #expect(known.status == .accepted && known.status == unknown.status && known.body == unknown.body)
        #expect(known.body.readableBytes == 0)
        let asked = mailer.take().map(\.mail)
        #expect(
            asked == [
                .passwordReset(try EmailAddress("ANA@example.org")),
                .passwordReset(try EmailAddress("nobody@example.org")),
            ])
        #expect(try await fixture.accounts.requestPasswordReset(for: EmailAddress("nobody@example.org")) == nil)
        let made = try #require(
            try await fixture.accounts.requestPasswordReset(for: EmailAddress("ana@example.org")))
        let body = #"{"link": "\#(made.link.secret.text)", "password": "another long password"}"#
        #expect(try await send(.put, "password-resets", body).status == .noContent)
        guard case .credentialsEnded = mailer.take().first?.mail else {
            Issue.record("no notice")
            return
        }
        fixture.clock.advance(by: .seconds(2))
        #expect(try await send(.get, "me", "", token: session.secret.text).status == .unauthorized)
        #expect(try await logIn("ana", "another long password") == .ok)
        #expect(try await send(.put, "password-resets", body).status == .gone)
    }

    @Test func changesOfTheOwnAccountAreNotified() async throws {
        _ = try await fixture.accounts.createAccount(
            Registration(username: "ana", email: "ana@example.org", password: TestAccounts.password), role: .member,
            by: TestAccounts.machine)
        guard
            case .session(let session) = try await fixture.accounts.logIn(
                "ana", password: TestAccounts.password, from: TestAccounts.origin)
        else {
            Issue.record("a new account has no second factor")
            return
        }
        let change = try await send(
            .put, "me/email", #"{"email": "new@example.org", "currentPassword": "\#(TestAccounts.password)"}"#,
            token: session.secret.text)
        #expect(change.status == .accepted)
        #expect(
            try JSONParser.parse(change.body.readableBytesView)["email"]?.string == "ana@example.org")
        let sent = mailer.take().map(\.mail)
        guard sent.count == 2, case .newAddress(let link, _) = sent[0], case .addressChange(let old, _) = sent[1] else {
            Issue.record("unexpected mails: \(sent)")
            return
        }
        #expect(link.link.email == "new@example.org" && old.email == "ana@example.org")
        let password = #"{"password": "another long password", "currentPassword": "\#(TestAccounts.password)"}"#
        #expect(try await send(.put, "me/password", password, token: session.secret.text).status == .noContent)
        guard case .passwordChanged = mailer.take().first?.mail else {
            Issue.record("no notice")
            return
        }
        // Somebody who is helped by an administrator hears of it, too.
        let helped = try await send(
            .patch, "users/ana", #"{"password": "a third long password"}"#, token: TestOperator.token.text, ifMatch: "*"
        )
        #expect(helped.status == .ok)
        #expect(mailer.take().count == 1)
    }

    @Test func aServerWithoutMailPromisesNone() async throws {
        fixture.accounts.settings.confirmsEmail = false
        for path in ["password-resets", "email-confirmations"] {
            #expect(
                try await send(.post, path, #"{"email": "ana@example.org"}"#, mails: false).status == .notFound)
        }
    }

    @Test(arguments: [
        "{}", #"{"email": ""}"#, #"{"email": "x"}"#, #"{"email": "a@b.c\r\nBcc: x@y.z"}"#, #"{"email": 1}"#,
        #"{"email": "a@b.c", "role": "administrator"}"#,
    ])
    func bodiesThatMakeNoSenseAreRefused(_ body: String) async throws {
        #expect(try await send(.post, "password-resets", body).status == .unprocessableContent)
        #expect(mailer.take().isEmpty)
    }
}
