import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import MediaIntake
import NIOCore
import Workflows

/// Signing up, the first administrator, and what one-time links lead to.
struct SignUpPages: Sendable {
    let pages: AccountPages

    private static let reason = "clients are strangers before they sign up"
    private static let linkReason = "the link is the credential"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, AccountPath.signUp, .anyone(.session, reason: Self.reason)) { request, context in
                try signUpForm(link: Self.link(request), request, context)
            },
            Endpoint(.post, AccountPath.signUp, .anyone(.session, reason: Self.reason), handler: signUp),
            Endpoint(.get, AccountPath.setUp, .anyone(.session, reason: Self.linkReason)) { request, context in
                try setUpForm(link: Self.link(request), request, context)
            },
            Endpoint(.post, AccountPath.setUp, .anyone(.session, reason: Self.linkReason), handler: setUp),
            Endpoint(.get, AccountPath.confirmation, .anyone(.session, reason: Self.linkReason)) { request, context in
                try confirmationForm(link: Self.link(request), request, context)
            },
            Endpoint(.post, AccountPath.confirmation, .anyone(.session, reason: Self.linkReason), handler: confirm),
            Endpoint(.get, AccountPath.newPassword, .anyone(.session, reason: Self.linkReason)) { request, context in
                try passwordForm(link: Self.link(request), request, context)
            },
            Endpoint(.post, AccountPath.newPassword, .anyone(.session, reason: Self.linkReason), handler: setPassword),
        ]
    }

    /// The secret of the one-time link in the page's address. Looking at the page does not use it up: mail programs
    /// open links by themselves.
    private static func link(_ request: Request) -> String {
        PageRequest.value(of: AccountPath.linkParameter, in: request) ?? ""
    }

    private func hidden(_ link: String) -> PageForm.Field {
        .init(name: AccountPath.linkParameter, label: "", type: "hidden", value: link)
    }

    // MARK: Signing up

    private func registrationFields(
        _ text: AccountText, _ sent: FormFields?, _ error: Refusal?, asksProfile: Bool
    ) -> [PageForm.Field] {
        let required = pages.accounts.settings.requiredFields
        func field(
            _ name: String, _ label: String, _ type: String = "text", _ autocomplete: String, isRequired: Bool
        ) -> PageForm.Field {
            .init(
                name: name, label: isRequired ? label : "\(label) (\(text.optional))", type: type,
                value: type == "password" ? "" : sent?[name] ?? "", isRequired: isRequired,
                autocomplete: autocomplete,
                error: error?.fields.contains(name) == true ? error.map(text.fieldError) : nil)
        }
        var fields = [
            field("username", text.username, "text", "username", isRequired: true),
            field("email", text.email, "email", "email", isRequired: asksProfile && required.contains(.email)),
            field("password", text.password, "password", "new-password", isRequired: true),
        ]
        guard asksProfile else { return fields }
        fields += [
            field("name", text.name, "text", "name", isRequired: required.contains(.name)),
            field("mobile", text.mobile, "tel", "tel", isRequired: required.contains(.mobile)),
            field("city", text.city, "text", "address-level2", isRequired: required.contains(.city)),
            field("country", text.country, "text", "country-name", isRequired: required.contains(.country)),
        ]
        return fields
    }

    private static func registration(_ sent: FormFields, invitation: String?) -> Registration {
        Registration(
            username: sent.text("username") ?? "", email: sent.text("email"), password: sent["password"] ?? "",
            profile: Profile(
                name: sent.text("name"), mobile: sent.text("mobile"), city: sent.text("city"),
                country: sent.text("country")),
            invitation: invitation)
    }

    private func signUpForm(
        link: String, sent: FormFields? = nil, error: Refusal? = nil, problem: ProblemDetails? = nil,
        _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        var section = PageSection(links: [(AccountPath.logIn, text.logIn)])
        switch pages.accounts.settings.registration {
        case .closed: section.text = text.signUpClosed
        case .invitation where link.isEmpty: section.text = text.signUpByInvitation
        case .approval: section.text = text.signUpByApproval
        case .open, .invitation: break
        }
        if section.text == nil || pages.accounts.settings.registration == .approval {
            var fields = registrationFields(text, sent, error, asksProfile: true)
            if pages.photos != nil {
                fields.append(
                    .init(name: Self.photoField, label: "\(text.photo) (\(text.optional))", type: "file"))
            }
            section.forms = [
                PageForm(
                    action: AccountPath.signUp, fields: fields + [hidden(link)], button: text.signUp,
                    sendsFile: pages.photos != nil)
            ]
        }
        let others =
            section.forms.isEmpty ? nil : ProviderPages(pages: pages).section(next: nil, invitation: link, text)
        return try pages.answer(
            text.signUp, [section, others].compactMap(\.self),
            error: error.map(text.error) ?? problem.map { PhotoPages.sentence($0.status, text) }, request, context,
            status: error.map(AccountPages.status) ?? problem?.status ?? .ok)
    }

    private static let photoField = "photo"

    private func signUp(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent: FormFields
        var image: ByteBuffer?
        if let photos = pages.photos, FileForm.isForm(request) {
            do {
                let form = try await photos.form(request, from: context.uploadSender)
                (sent, image) = (FormFields(form), form.file)
            } catch let error as ProblemDetails where [.contentTooLarge, .tooManyRequests].contains(error.status) {
                return try signUpForm(link: Self.link(request), problem: error, request, context)
            }
        } else {
            sent = try await FormFields(request)
        }
        let link = sent[AccountPath.linkParameter] ?? ""
        do {
            let outcome = try await pages.accounts.register(
                Self.registration(sent, invitation: link.isEmpty ? nil : link), from: context.caller.origin)
            let isUsable =
                try await pages.photos?.setFirst(
                    image, of: outcome.account, in: pages.accounts, from: context.caller.origin
                ).isUsable ?? true
            if let session = outcome.session {
                let notice = isUsable ? "" : "?\(PhotoPages.refusalParameter)=1"
                return await pages.begin(session, AccountPath.account + notice, request, context)
            }
            return try waits(outcome, isPhotoUsable: isUsable, request, context)
        } catch let error as Refusal {
            return try signUpForm(link: link, sent: sent, error: error, request, context)
        }
    }

    /// Says what a new account waits for.
    ///
    /// - Parameters:
    ///   - outcome: the account.
    ///   - isPhotoUsable: whether the photo that was sent with it could be used.
    ///   - request: the visitor's request.
    ///   - context: who the visitor is.
    func waits(
        _ outcome: RegistrationOutcome, isPhotoUsable: Bool = true, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        var section = PageSection(text: text.waitsForApproval)
        if let confirmation = outcome.confirmation {
            pages.send(.confirmation(confirmation, of: outcome.account), request)
            section.text = text.waitsForConfirmation
            section.links = [(AccountPath.confirmation, text.sendAgain)]
        }
        return try pages.answer(
            text.signUp, [section], error: isPhotoUsable ? nil : text.photoNotUsable, request, context)
    }

    // MARK: The first administrator

    private func setUpForm(
        link: String, sent: FormFields? = nil, error: Refusal? = nil, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        return try pages.answer(
            text.setUp,
            [
                PageSection(
                    text: text.setUpText,
                    forms: [
                        PageForm(
                            action: AccountPath.setUp,
                            fields: registrationFields(text, sent, error, asksProfile: false) + [hidden(link)],
                            button: text.createAccount)
                    ])
            ], error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func setUp(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let link = sent[AccountPath.linkParameter] ?? ""
        do {
            let outcome = try await pages.accounts.setUp(
                Self.registration(sent, invitation: nil), link: link, from: context.caller.origin)
            guard let session = outcome.session else { return pages.redirect(AccountPath.logIn) }
            return await pages.begin(session, AccountPath.account, request, context)
        } catch let error as Refusal {
            return try setUpForm(link: link, sent: sent, error: error, request, context)
        }
    }

    // MARK: Links

    private func confirmationForm(
        link: String, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        if link.isEmpty, pages.sendsMail {
            return try addressForm(
                text.confirmEmail, text.sendAgainText, AccountPath.confirmation, error: error, request, context)
        }
        return try pages.answer(
            text.confirmEmail,
            [
                PageSection(forms: [
                    PageForm(action: AccountPath.confirmation, fields: [hidden(link)], button: text.confirmEmail)
                ])
            ], error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func confirm(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let link = sent[AccountPath.linkParameter] ?? ""
        do {
            if link.isEmpty, let email = sent["email"] {
                let email = try pages.accounts.admitMail(to: email, from: context.caller.origin)
                pages.send(.confirmationAgain(email), request)
                return try mailIsSent(pages.text(request).confirmEmail, request, context)
            }
            let account = try await pages.accounts.confirmEmail(link, from: context.caller.origin)
            let text = pages.text(request)
            return try pages.answer(
                text.confirmEmail,
                [
                    PageSection(
                        text: account.state == .awaitingApproval ? text.waitsForApproval : text.emailConfirmed,
                        links: [(AccountPath.logIn, text.logIn)])
                ], request, context)
        } catch let error as Refusal {
            return try confirmationForm(link: link, error: error, request, context)
        }
    }

    private func passwordForm(
        link: String, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        guard !link.isEmpty else {
            if pages.sendsMail {
                return try addressForm(
                    text.forgotPassword, text.forgotPasswordText, AccountPath.newPassword, error: error, request,
                    context)
            }
            return try pages.answer(
                text.forgotPassword, [PageSection(text: text.askForLink, links: [(AccountPath.logIn, text.logIn)])],
                error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
        }
        let field = PageForm.Field(
            name: "password", label: text.newPassword, type: "password", isRequired: true,
            autocomplete: "new-password", error: error?.code == .invalidPassword ? error.map(text.fieldError) : nil)
        return try pages.answer(
            text.newPassword,
            [
                PageSection(forms: [
                    PageForm(
                        action: AccountPath.newPassword, fields: [field, hidden(link)], button: text.changePassword)
                ])
            ], error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func setPassword(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let link = sent[AccountPath.linkParameter] ?? ""
        do {
            if link.isEmpty, let email = sent["email"] {
                let email = try pages.accounts.admitMail(to: email, from: context.caller.origin)
                pages.send(.passwordReset(email), request)
                return try mailIsSent(pages.text(request).forgotPassword, request, context)
            }
            let account = try await pages.accounts.resetPassword(
                link, to: sent["password"] ?? "", from: context.caller.origin)
            pages.send(.credentialsEnded(of: account), request)
            let text = pages.text(request)
            return try pages.answer(
                text.newPassword,
                [PageSection(text: text.passwordReset, links: [(AccountPath.logIn, text.logIn)])], request,
                context)
        } catch let error as Refusal {
            return try passwordForm(link: link, error: error, request, context)
        }
    }

    // MARK: Asking for mail

    /// A form for the address to which a link is sent.
    private func addressForm(
        _ heading: String, _ explanation: String, _ path: String, error: Refusal?, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        let field = PageForm.Field(
            name: "email", label: text.email, type: "email", isRequired: true, autocomplete: "email",
            error: error?.code == .invalidEmail ? error.map(text.fieldError) : nil)
        return try pages.answer(
            heading,
            [
                PageSection(
                    text: explanation,
                    forms: [PageForm(action: path, fields: [field], button: text.sendMail)],
                    links: [(AccountPath.logIn, text.logIn)])
            ], error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    /// The answer to a request for mail, which is the same whether or not there is an account with the address.
    private func mailIsSent(
        _ heading: String, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        return try pages.answer(
            heading, [PageSection(text: text.mailSent, links: [(AccountPath.logIn, text.logIn)])], request, context)
    }
}
