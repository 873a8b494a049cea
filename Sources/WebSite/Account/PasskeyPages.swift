import Accounts
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import WebAuthentication

/// Passkeys, which need a script: it asks for a challenge, has the browser sign it, and sends the form with the answer.
struct PasskeyPages: Sendable {
    let pages: AccountPages

    private static let own = AccessRule.member(.session, reason: "the visitor's own passkeys")
    private static let reason = "clients are strangers before they log in"
    private static let logInPath = "\(AccountPath.logIn)/llave"
    private static let logInChallengePath = "\(logInPath)/reto"
    private static let path = "/cuenta/llaves"
    private static let challengePath = "\(path)/reto"
    private static let removalPath = "\(path)/quitar"

    var endpoints: [Endpoint] {
        [
            Endpoint(.post, Self.logInChallengePath, .anyone(.session, reason: Self.reason)) { request, context in
                try await challenge(request) {
                    LogInChallenge(try await pages.accounts.beginPasskeyLogIn(from: context.caller.origin))
                }
            },
            Endpoint(.post, Self.logInPath, .anyone(.session, reason: Self.reason), handler: logIn),
            Endpoint(.post, Self.challengePath, Self.own) { request, context in
                let sent = try await FormFields(request)
                return try await challenge(request) {
                    NewPasskeyChallenge(
                        try await pages.accounts.beginPasskey(password: sent["currentPassword"], by: context.caller))
                }
            },
            Endpoint(.post, Self.path, Self.own) { request, context in
                try await change(request, context) { sent in
                    _ = try await pages.accounts.addPasskey(
                        PasskeyAttestation(
                            clientDataJSON: Self.bytes(sent, "client"),
                            attestationObject: Self.bytes(sent, "attestation")),
                        name: sent.text("name") ?? "", by: context.caller)
                }
            },
            Endpoint(.post, Self.removalPath, Self.own) { request, context in
                try await change(request, context) { sent in
                    guard let id = OpaqueID(parsing: sent["id"] ?? "") else {
                        throw Refusal(.notFound, "your account has no such passkey")
                    }
                    try await pages.accounts.removePasskey(id, password: sent["currentPassword"], by: context.caller)
                }
            },
        ]
    }

    // MARK: Parts of pages

    /// The button of the log-in page.
    ///
    /// - Parameters:
    ///   - next: the page to which the visitor returns.
    ///   - text: the texts of the page.
    /// - Returns: `nil` if the server has no domain, which passkeys need.
    func logInSection(next: ReturnPath?, _ text: AccountText) -> PageSection? {
        guard pages.accounts.settings.relyingParty != nil else { return nil }
        var fields = [PageForm.Field(name: "stay", label: text.stayLoggedIn, type: "checkbox", value: "1")]
        fields += ["id", "client", "authenticator", "signature"].map(Self.answer)
        if let next { fields.append(.init(name: "next", label: "", type: "hidden", value: next.text)) }
        return PageSection(forms: [
            PageForm(
                action: Self.logInPath, fields: fields, button: text.usePasskey,
                passkey: .init(step: "get", challengePath: Self.logInChallengePath, failure: text.passkeyFailed))
        ])
    }

    /// The list of the visitor's passkeys with a form for another one.
    ///
    /// - Parameters:
    ///   - currentPassword: the field that confirms a change; `nil` for an account without password.
    ///   - text: the texts of the page.
    ///   - context: the visitor.
    /// - Returns: `nil` if the server has no domain, which passkeys need.
    func section(
        currentPassword: PageForm.Field?, _ text: AccountText, _ context: GatewayRequestContext
    ) async throws -> PageSection? {
        guard pages.accounts.settings.relyingParty != nil else { return nil }
        let password = [currentPassword].compactMap(\.self)
        let passkeys = try await pages.accounts.passkeys(by: context.caller)
        return PageSection(
            heading: text.passkeys, text: text.passkeysText,
            items: passkeys.map { passkey in
                PageSection.Item(
                    text: passkey.name,
                    detail: PageText(
                        joining: [
                            text.ago(passkey.createdAt),
                            passkey.lastUsedAt.map { "\(text.lastUsed): \(text.ago($0))" },
                        ], with: " · "),
                    forms: [
                        PageForm(
                            action: Self.removalPath,
                            fields: [.init(name: "id", label: "", type: "hidden", value: passkey.id.text)] + password,
                            button: text.revoke, isDangerous: true)
                    ])
            },
            forms: [
                PageForm(
                    action: Self.path,
                    fields: [.init(name: "name", label: text.passkeyName, isRequired: true)] + password
                        + ["client", "attestation"].map(Self.answer), button: text.addPasskey,
                    passkey: .init(step: "create", challengePath: Self.challengePath, failure: text.passkeyFailed))
            ])
    }

    /// A field that the script fills in.
    private static func answer(_ name: String) -> PageForm.Field { .init(name: name, label: "", type: "hidden") }

    // MARK: Answers

    private struct LogInChallenge: Encodable {
        let challenge, relyingPartyID: String

        init(_ request: PasskeyRequest) {
            (challenge, relyingPartyID) = (request.challenge, request.relyingPartyID)
        }
    }

    private struct NewPasskeyChallenge: Encodable {
        let challenge, relyingPartyID, relyingPartyName, userID, username: String
        let algorithms: [Int]
        let excludedCredentials: [String]

        init(_ creation: PasskeyCreation) {
            (challenge, relyingPartyID) = (creation.challenge, creation.relyingPartyID)
            (relyingPartyName, userID) = (creation.relyingPartyName, creation.userID)
            (username, algorithms) = (creation.username, creation.algorithms)
            excludedCredentials = creation.excludedCredentials
        }
    }

    private struct Problem: Encodable { let problem: String }

    /// Answers the script with a challenge, or with what is wrong in the visitor's language.
    private func challenge(
        _ request: Request, _ make: () async throws -> some Encodable & Sendable
    ) async throws -> Response {
        do {
            return try Self.json(try await make())
        } catch let error as Refusal {
            return try Self.json(Problem(problem: pages.text(request).error(error)), AccountPages.status(error))
        }
    }

    private static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value))))
    }

    private func logIn(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            let session = try await pages.accounts.logIn(
                passkey: PasskeyAssertion(
                    credentialID: Self.bytes(sent, "id"), clientDataJSON: Self.bytes(sent, "client"),
                    authenticatorData: Self.bytes(sent, "authenticator"), signature: Self.bytes(sent, "signature")),
                staysLoggedIn: sent.isOn("stay"), from: context.caller.origin)
            return await pages.begin(session, ReturnPath(parsing: sent["next"])?.text ?? "/", request, context)
        } catch let error as Refusal {
            return try LogInPages(pages: pages).form(next: sent["next"], error: error, request, context)
        }
    }

    private func change(
        _ request: Request, _ context: GatewayRequestContext, _ work: (FormFields) async throws -> Void
    ) async throws -> Response {
        do {
            try await work(try await FormFields(request))
            return pages.redirect(AccountSection.security.savedPath)
        } catch let error as Refusal {
            return try await OwnAccountPages(pages: pages).account(.security, error: error, request, context)
        }
    }

    /// The bytes of a base64url field; empty for a field that is missing or wrong, which no check lets pass.
    private static func bytes(_ sent: FormFields, _ name: String) -> [UInt8] {
        sent[name].flatMap { Base64URL.bytes($0) } ?? []
    }
}
