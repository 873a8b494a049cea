import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore

/// Logging in and out.
struct LogInPages: Sendable {
    let pages: AccountPages

    private static let reason = "clients are strangers before they log in"
    private static let codePath = "\(AccountPath.logIn)/codigo"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, AccountPath.logIn, .anyone(.session, reason: Self.reason)) { request, context in
                try form(next: PageRequest.value(of: "next", in: request), request, context)
            },
            Endpoint(.post, AccountPath.logIn, .anyone(.session, reason: Self.reason), handler: logIn),
            Endpoint(.post, Self.codePath, .anyone(.session, reason: Self.reason), handler: finish),
            Endpoint(.post, "/cuenta/salir", .anyone(.session, reason: "a session that has ended is over already")) {
                request, context in
                if context.principal.session != nil { try await pages.accounts.logOut(context.caller) }
                return pages.redirect(
                    "/", cookie: SessionCookie.removing(isSecure: pages.isSecure(request)))
            },
        ]
    }

    /// The log-in page.
    func form(
        next: String?, name: String = "", error: Refusal? = nil, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        var fields = [
            PageForm.Field(
                name: "username", label: text.usernameOrEmail, value: name, isRequired: true,
                autocomplete: "username"),
            PageForm.Field(
                name: "password", label: text.password, type: "password", isRequired: true,
                autocomplete: "current-password"),
            PageForm.Field(name: "stay", label: text.stayLoggedIn, type: "checkbox", value: "1"),
        ]
        if let next = ReturnPath(parsing: next) {
            fields.append(.init(name: "next", label: "", type: "hidden", value: next.text))
        }
        var links = [(path: AccountPath.newPassword, text: text.forgotPassword)]
        if pages.accounts.settings.registration != .closed {
            links.insert((AccountPath.signUp, text.signUp), at: 0)
        }
        if error?.code == .accountPending, pages.sendsMail {
            links.append((AccountPath.confirmation, text.sendAgain))
        }
        return try pages.answer(
            text.logIn,
            [
                PageSection(
                    forms: [PageForm(action: AccountPath.logIn, fields: fields, button: text.logIn)], links: links),
                PasskeyPages(pages: pages).logInSection(next: ReturnPath(parsing: next), text),
                ProviderPages(pages: pages).section(next: ReturnPath(parsing: next), text),
            ].compactMap(\.self),
            error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func logIn(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let fields = try await FormFields(request)
        let (name, next) = (fields["username"] ?? "", fields["next"])
        do {
            let outcome = try await pages.accounts.logIn(
                name, password: fields["password"] ?? "", staysLoggedIn: fields.isOn("stay"),
                from: context.caller.origin)
            switch outcome {
            case .session(let session):
                return await pages.begin(session, ReturnPath(parsing: next)?.text ?? "/", request, context)
            case .secondFactorNeeded(let challenge):
                return try codeForm(challenge.text, next: next, request, context)
            }
        } catch let error as Refusal {
            return try form(next: next, name: name, error: error, request, context)
        }
    }

    /// Asks for the code of the second factor.
    func codeForm(
        _ challenge: String, next: String?, error: Refusal? = nil, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        var fields = [
            PageForm.Field(
                name: "code", label: text.code, isRequired: true, autocomplete: "one-time-code"),
            PageForm.Field(name: "challenge", label: "", type: "hidden", value: challenge),
        ]
        if let next = ReturnPath(parsing: next) {
            fields.append(.init(name: "next", label: "", type: "hidden", value: next.text))
        }
        return try pages.answer(
            text.secondFactor,
            [
                PageSection(
                    text: text.codeText,
                    forms: [PageForm(action: Self.codePath, fields: fields, button: text.logIn)])
            ],
            error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func finish(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let fields = try await FormFields(request)
        let (challenge, next) = (fields["challenge"] ?? "", fields["next"])
        do {
            let session = try await pages.accounts.logIn(
                challenge: challenge, code: fields["code"] ?? "", from: context.caller.origin)
            return await pages.begin(session, ReturnPath(parsing: next)?.text ?? "/", request, context)
        } catch let error as Refusal where error.code == .linkNotValid {
            return try form(next: next, error: error, request, context)
        } catch let error as Refusal {
            return try codeForm(challenge, next: next, error: error, request, context)
        }
    }
}
