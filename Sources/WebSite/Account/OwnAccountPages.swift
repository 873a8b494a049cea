import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// A member's own account: details, sessions, tokens, second factor, devices.
struct OwnAccountPages: Sendable {
    let pages: AccountPages

    private static let own = AccessRule.member(.session, reason: "the visitor's own account")

    var endpoints: [Endpoint] {
        [
            page(.profile) { PhotoPages(pages: pages).problem($0) }, page(.security), page(.devices), page(.data),
            post("datos", .profile) { sent, context in
                _ = try await pages.accounts.changeProfile(
                    Profile(
                        name: sent.text("name"), mobile: sent.text("mobile"), city: sent.text("city"),
                        country: sent.text("country"),
                        language: sent.text("language").flatMap(SiteLanguage.init(rawValue:))?.rawValue),
                    from: sent.revisions, by: context.caller)
            },
            post("sesiones", .devices) { sent, context in
                if let id = OpaqueID(parsing: sent["id"] ?? "") {
                    try await pages.accounts.endSession(id, by: context.caller)
                } else {
                    try await pages.accounts.endAllSessions(keepsThis: true, by: context.caller)
                }
            },
            post("tokens/revocar", .devices) { sent, context in
                guard let id = OpaqueID(parsing: sent["id"] ?? "") else {
                    throw Refusal(.notFound, "the account has no such token")
                }
                try await pages.accounts.revokeToken(id, by: context.caller)
            },
            post("segundo-factor/quitar", .security) { sent, context in
                try await pages.accounts.turnOffSecondFactor(
                    password: sent["currentPassword"], by: context.caller)
            },
            Endpoint(.post, "/cuenta/correo", Self.own, handler: changeEmail),
            Endpoint(.post, "/cuenta/contrasena", Self.own, handler: changePassword),
            Endpoint(.post, "/cuenta/tokens", Self.own, handler: makeToken),
            Endpoint(.post, "/cuenta/segundo-factor", Self.own, handler: beginSecondFactor),
            Endpoint(.post, "/cuenta/segundo-factor/codigo", Self.own, handler: confirmSecondFactor),
            Endpoint(.post, "/cuenta/borrar", Self.own, handler: delete),
            Endpoint(.get, AccountPath.device, Self.own) { request, context in
                try deviceForm(code: PageRequest.value(of: "code", in: request) ?? "", request, context)
            },
            Endpoint(.post, AccountPath.device, Self.own, handler: device),
        ]
    }

    /// A page of the account.
    private func page(
        _ section: AccountSection, problem: @escaping @Sendable (Request) -> String? = { _ in nil }
    ) -> Endpoint {
        Endpoint(.get, section.path, Self.own) { request, context in
            try await account(section, problem: problem(request), notice: notice(request), request, context)
        }
    }

    /// A form that changes something and returns to its page of the account.
    private func post(
        _ name: String, _ section: AccountSection,
        change: @escaping @Sendable (FormFields, GatewayRequestContext) async throws -> Void
    ) -> Endpoint {
        Endpoint(.post, "/cuenta/\(name)", Self.own) { request, context in
            let sent = try await FormFields(request)
            do {
                try await change(sent, context)
                return pages.redirect(section.savedPath)
            } catch let error as Refusal {
                return try await account(section, error: error, sent: sent, request, context)
            }
        }
    }

    /// The page's message about a completed action; `nil` for none.
    private func notice(_ request: Request) -> String? {
        switch PageRequest.value(of: "hecho", in: request) {
        case "1": pages.text(request).saved
        case Self.addressNotice: pages.text(request).confirmNewAddress
        default: nil
        }
    }

    /// The notice that a new address has to be confirmed.
    private static let addressNotice = "correo"

    // MARK: Address and password

    private func changeEmail(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            let present = try await pages.accounts.account(of: context.caller)
            let email = sent.text("email") ?? ""
            let link = try await pages.accounts.changeEmail(
                to: email, password: sent["currentPassword"], by: context.caller)
            guard let link else { return pages.redirect(AccountSection.security.savedPath) }
            pages.send(.newAddress(link, of: present), request)
            pages.send(.addressChange(of: present, to: link.link.email ?? email), request)
            return pages.redirect("\(AccountSection.security.path)?hecho=\(Self.addressNotice)")
        } catch let error as Refusal {
            return try await account(.security, error: error, request, context)
        }
    }

    private func changePassword(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            let changed = try await pages.accounts.changePassword(
                to: sent["password"] ?? "", current: sent["currentPassword"], by: context.caller)
            pages.send(.passwordChanged(of: changed), request)
            return pages.redirect(AccountSection.security.savedPath)
        } catch let error as Refusal {
            return try await account(.security, error: error, request, context)
        }
    }

    // MARK: The pages

    /// A page of the account.
    ///
    /// - Parameters:
    ///   - section: which of them.
    ///   - error: what went wrong with the form that led here.
    ///   - sent: the form that led here, whose values the page keeps; `nil` for a form that is not about the details.
    ///   - problem: a sentence about it, if no `Refusal` says it.
    ///   - notice: what was done.
    ///   - request: the visitor's request.
    ///   - context: who the visitor is.
    ///   - status: the status of the answer without an error.
    func account(
        _ section: AccountSection, error: Refusal? = nil, sent: FormFields? = nil, problem: String? = nil,
        notice: String? = nil, _ request: Request, _ context: GatewayRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let text = pages.text(request)
        let account = try await pages.accounts.account(of: context.caller)
        guard context.principal.session != nil else {
            throw ProblemDetails(.forbidden, "this page needs a logged-in user, not a token")
        }
        let sections: [PageSection?] =
            switch section {
            case .profile:
                [
                    summary(account, text), PhotoPages(pages: pages).section(account, text, request),
                    details(account, error, sent, text),
                ]
            case .security: try await security(account, error, text, context)
            case .devices:
                [
                    sessions(try await pages.accounts.sessions(of: context.caller), context, text),
                    PageSection(
                        heading: text.connectDevice, text: text.connectDeviceText,
                        links: [(AccountPath.device, text.connectDevice)]),
                    tokens(try await pages.accounts.tokens(by: context.caller), text),
                ]
            case .data: data(account, text)
            }
        return try pages.answer(
            section == .profile ? account.username : section.name(text), sections.compactMap(\.self),
            error: error.map(text.error) ?? problem, notice: notice, menu: section.path, request, context,
            status: error.map(AccountPages.status) ?? status)
    }

    private func summary(_ account: Account, _ text: AccountText) -> PageSection {
        PageSection(
            text: "\(text.role): \(text.name(of: account.role))",
            links: [(ResourcePaths.page(ofMember: account.username), text.publicProfile)])
    }

    private func security(
        _ account: Account, _ error: Refusal?, _ text: AccountText, _ context: GatewayRequestContext
    ) async throws -> [PageSection?] {
        let factor = try await pages.accounts.secondFactor(of: context.caller)
        let password = Self.currentPassword(account, text)
        return access(account, error, text) + [
            secondFactor(factor, account, text),
            try await PasskeyPages(pages: pages).section(currentPassword: password, text, context),
            try await ProviderPages(pages: pages).section(currentPassword: password, text, context),
        ]
    }

    private func data(_ account: Account, _ text: AccountText) -> [PageSection?] {
        [
            PageSection(
                heading: text.export, text: text.exportText,
                links: [
                    ("/api/v1/me/export.zip", text.exportArchive),
                    ("/api/v1/me/export.zip?files=true", text.exportFiles),
                    ("/api/v1/me/export", text.exportJSON),
                ]),
            PageSection(
                heading: text.deleteAccount, text: text.deleteAccountText,
                forms: [
                    PageForm(
                        action: "/cuenta/borrar", fields: [Self.currentPassword(account, text)].compactMap(\.self),
                        button: text.deleteAccount, isDangerous: true)
                ]),
        ]
    }

    /// The field for the present password; `nil` for an account without one.
    static func currentPassword(_ account: Account, _ text: AccountText) -> PageForm.Field? {
        guard account.hasPassword else { return nil }
        return .init(
            name: "currentPassword", label: text.currentPassword, type: "password", isRequired: true,
            autocomplete: "current-password")
    }

    private func details(
        _ account: Account, _ error: Refusal?, _ sent: FormFields?, _ text: AccountText
    ) -> PageSection {
        let required = pages.accounts.settings.requiredFields
        func field(
            _ field: ProfileField, _ label: String, _ value: String?, _ autocomplete: String, type: String = "text"
        ) -> PageForm.Field {
            .init(
                name: field.rawValue, label: required.contains(field) ? label : "\(label) (\(text.optional))",
                type: type, value: sent?[field.rawValue] ?? value ?? "", isRequired: required.contains(field),
                autocomplete: autocomplete,
                error: error?.fields.contains(field.rawValue) == true ? error.map(text.fieldError) : nil)
        }
        return PageSection(
            heading: text.details,
            forms: [
                PageForm(
                    action: "/cuenta/datos",
                    fields: [
                        .version(String(account.revision)), field(.name, text.name, account.profile.name, "name"),
                        field(.mobile, text.mobile, account.profile.mobile, "tel", type: "tel"),
                        field(.city, text.city, account.profile.city, "address-level2"),
                        field(.country, text.country, account.profile.country, "country-name"),
                        .init(
                            name: "language", label: text.languageField, type: "select",
                            value: sent?["language"] ?? account.profile.language ?? "",
                            options: [("", text.browsersLanguage)]
                                + SiteLanguage.allCases.map { ($0.rawValue, $0.name) }),
                    ], button: text.save)
            ])
    }

    private func access(_ account: Account, _ error: Refusal?, _ text: AccountText) -> [PageSection?] {
        let email = PageForm.Field(
            name: "email", label: text.email, type: "email", value: account.email ?? "", isRequired: true,
            autocomplete: "email", error: error?.fields.contains("email") == true ? error.map(text.fieldError) : nil)
        let password = PageForm.Field(
            name: "password", label: text.newPassword, type: "password", isRequired: true,
            autocomplete: "new-password", error: error?.code == .invalidPassword ? error.map(text.fieldError) : nil)
        let current = [Self.currentPassword(account, text)].compactMap(\.self)
        return [
            PageSection(
                heading: text.email,
                forms: [
                    PageForm(
                        action: "/cuenta/correo", fields: [email] + current, button: text.changeEmail, isQuiet: true)
                ]),
            PageSection(
                heading: text.password,
                forms: [
                    PageForm(
                        action: "/cuenta/contrasena", fields: [password] + current,
                        button: account.hasPassword ? text.changePassword : text.setPassword)
                ]),
        ]
    }

    private func secondFactor(
        _ status: SecondFactorStatus, _ account: Account, _ text: AccountText
    ) -> PageSection {
        let fields = [Self.currentPassword(account, text)].compactMap(\.self)
        guard status.isOn else {
            return PageSection(
                heading: text.secondFactor, text: text.secondFactorText,
                forms: [PageForm(action: "/cuenta/segundo-factor", fields: fields, button: text.turnOn, isQuiet: true)])
        }
        return PageSection(
            heading: text.secondFactor, text: "\(text.recoveryCodesLeft): \(status.recoveryCodeCount)",
            forms: [
                PageForm(
                    action: "/cuenta/segundo-factor/quitar", fields: fields, button: text.turnOff, isDangerous: true)
            ])
    }

    private func sessions(
        _ sessions: [Session], _ context: GatewayRequestContext, _ text: AccountText
    ) -> PageSection {
        PageSection(
            heading: text.sessions,
            items: sessions.map { session in
                let isThis = session.id == context.principal.session
                return PageSection.Item(
                    text: Self.name(ofDevice: session.device, text),
                    detail:
                        "\(session.address) · \(text.ago(session.lastUsedAt))\(isThis ? " · \(text.thisOne)" : "")",
                    forms: isThis ? [] : [PageForm.revoking("/cuenta/sesiones", session.id, text)])
            }, forms: [PageForm(action: "/cuenta/sesiones", button: text.endOthers, isDangerous: true)])
    }

    private static func name(ofDevice device: String, _ text: AccountText) -> String {
        guard !device.isEmpty else { return text.unknownDevice }
        guard let name = BrowserName(userAgent: device) else { return device }
        guard let system = name.system else { return name.browser }
        return text.browserOnSystem.filled("browser", with: name.browser).filled("system", with: system)
    }

    private func tokens(_ tokens: [AccessToken], _ text: AccountText) -> PageSection {
        PageSection(
            heading: text.tokens, text: text.tokensText,
            items: tokens.map { .init($0, PageForm.revoking("/cuenta/tokens/revocar", $0.id, text), text) },
            forms: [
                PageForm(
                    action: "/cuenta/tokens",
                    fields: [
                        .init(name: "name", label: text.tokenName, isRequired: true),
                        .init(
                            name: "kind", label: text.kind, type: "select", value: "appPassword",
                            options: [("appPassword", text.appPassword), ("apiToken", text.apiToken)]),
                        .init(name: "publish", label: text.mayPublish, type: "checkbox", value: "1"),
                    ], button: text.makeToken)
            ])
    }

    // MARK: Answers with secrets

    private func makeToken(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let text = pages.text(request)
        do {
            let actions: [Action] = sent.isOn("publish") ? [.read, .publish] : [.read]
            let kind = TokenKind(rawValue: sent["kind"] ?? "") ?? .appPassword
            let token = try await pages.accounts.createToken(
                TokenRequest(kind, name: sent["name"] ?? "", scope: Scope(actions: ActionSet(actions))),
                password: sent["currentPassword"], by: context.caller)
            return try pages.answer(
                text.tokens,
                [
                    PageSection(
                        text: text.shownOnce, secret: token.secret.text,
                        links: [(AccountSection.devices.path, text.goBack)])
                ], request, context)
        } catch let error as Refusal {
            return try await account(.devices, error: error, request, context)
        }
    }

    private func beginSecondFactor(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            let setUp = try await pages.accounts.beginSecondFactor(
                password: sent["currentPassword"], by: context.caller)
            return try codeForm(uri: setUp.uri, request, context)
        } catch let error as Refusal {
            return try await account(.security, error: error, request, context)
        }
    }

    private func codeForm(
        uri: String, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        return try pages.answer(
            text.secondFactor,
            [
                PageSection(
                    text: text.scanText, code: QRCode(uri)?.svg(label: text.qrCode), secret: uri,
                    forms: [
                        PageForm(
                            action: "/cuenta/segundo-factor/codigo",
                            fields: [
                                .init(
                                    name: "code", label: text.code, isRequired: true, autocomplete: "one-time-code"),
                                .init(name: "uri", label: "", type: "hidden", value: uri),
                            ], button: text.turnOn)
                    ], links: [(AccountSection.security.path, text.goBack)])
            ], error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func confirmSecondFactor(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let text = pages.text(request)
        do {
            let codes = try await pages.accounts.confirmSecondFactor(sent["code"] ?? "", by: context.caller)
            return try pages.answer(
                text.secondFactor,
                [
                    PageSection(
                        heading: text.recoveryCodes, text: text.recoveryCodesText,
                        secret: codes.map(\.text).joined(separator: "\n"),
                        links: [(AccountSection.security.path, text.goBack)])
                ], request, context)
        } catch let error as Refusal where error.code == .wrongCode {
            return try codeForm(uri: sent["uri"] ?? "", error: error, request, context)
        } catch let error as Refusal {
            return try await account(.security, error: error, request, context)
        }
    }

    private func delete(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            try await pages.accounts.deleteAccount(password: sent["currentPassword"], by: context.caller)
            return pages.redirect("/", cookie: SessionCookie.removing(isSecure: pages.isSecure(request)))
        } catch let error as Refusal {
            return try await account(.data, error: error, request, context)
        }
    }

    // MARK: Devices

    private func deviceForm(
        code: String, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        return try pages.answer(
            text.connectDevice,
            [
                PageSection(
                    text: text.connectDeviceText,
                    forms: [
                        PageForm(
                            action: AccountPath.device,
                            fields: [.init(name: "code", label: text.deviceCode, value: code, isRequired: true)],
                            button: text.goOn)
                    ])
            ], error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    /// Shows the device first; a second form decides, so that nobody approves a stranger's by mistake.
    private func device(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let (code, text) = (sent.text("code") ?? "", pages.text(request))
        do {
            if let decision = sent["decision"] {
                try await pages.accounts.decideOnDevice(
                    code: code, approves: decision == "approve", by: context.caller)
                return pages.redirect(AccountSection.devices.savedPath)
            }
            let device = try await pages.accounts.device(code: code, by: context.caller)
            func form(_ decision: String, _ button: String, _ isDangerous: Bool) -> PageForm {
                PageForm(
                    action: AccountPath.device,
                    fields: [
                        .init(name: "code", label: "", type: "hidden", value: code),
                        .init(name: "decision", label: "", type: "hidden", value: decision),
                    ], button: button, isDangerous: isDangerous)
            }
            return try pages.answer(
                text.connectDevice,
                [
                    PageSection(
                        text: text.isThisYours,
                        items: [
                            .init(text: device.device, detail: "\(device.address) · \(text.ago(device.createdAt))")
                        ],
                        forms: [form("approve", text.approve, false), form("deny", text.refuse, true)])
                ], request, context)
        } catch let error as Refusal {
            return try deviceForm(code: code, error: error, request, context)
        }
    }
}
