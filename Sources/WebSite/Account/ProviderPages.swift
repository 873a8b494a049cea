import Accounts
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import IdentityProviders
import MediaCore
import SiteTexts
import Workflows

/// Logging in with an identity provider, signing up with one, and connecting accounts.
struct ProviderPages: Sendable {
    let pages: AccountPages

    private static let reason = "clients are strangers before they log in"
    private static let own = AccessRule.member(.session, reason: "the visitor's own account")
    private static let start = "\(AccountPath.logIn)/con/{provider}"
    private static let connection = "/cuenta/proveedores/{provider}"
    /// The suffix of a connection's path for the provider's picture.
    private static let photo = "foto"
    private static let callback = "/cuenta/proveedor/{provider}"
    private static let signUp = "/cuenta/registro/con"
    private static let connect = "/cuenta/proveedores"
    private static let disconnect = "/cuenta/proveedores/quitar"
    /// The field with a sealed `PendingIdentity`.
    private static let identityField = "identity"
    /// The parameter that chooses a session that outlives the browser.
    private static let stay = "stay"

    var endpoints: [Endpoint] {
        guard pages.providers != nil, pages.publicAddress != nil else { return [] }
        return [
            // A GET, because Chromium lets no form of a page with `form-action 'self'` lead to another site.
            Endpoint(.get, Self.start, .anyone(.session, reason: Self.reason)) { request, context in
                try await begin(.logIn, request, context)
            },
            Endpoint(.get, Self.connection, Self.own) { request, context in
                try await begin(.connection, request, context)
            },
            Endpoint(.get, "\(Self.connection)/\(Self.photo)", Self.own) { request, context in
                try await begin(.picture, request, context)
            },
            Endpoint(.get, Self.callback, .anyone(.session, reason: Self.reason), handler: finish),
            Endpoint(.post, Self.signUp, .anyone(.session, reason: Self.reason), handler: register),
            Endpoint(.post, Self.connect, Self.own, handler: connect),
            Endpoint(.post, Self.disconnect, Self.own, handler: disconnect),
        ]
    }

    // MARK: Parts of other pages

    private var providers: [IdentityProvider] {
        pages.publicAddress == nil ? [] : pages.providers?.providers ?? []
    }

    /// The links of the log-in page and the sign-up page; `nil` without providers.
    ///
    /// - Parameters:
    ///   - next: the page to return to.
    ///   - invitation: the text of an invitation; empty for none.
    func section(next: ReturnPath?, invitation: String = "", _ text: AccountText) -> PageSection? {
        guard !providers.isEmpty else { return nil }
        var parameters: [String] = []
        if let next { parameters.append("next=\(SitePage.queryComponent(next.text))") }
        if !invitation.isEmpty {
            parameters.append("\(AccountPath.linkParameter)=\(SitePage.queryComponent(invitation))")
        }
        // A choice beside the link would need a form, which must not lead to another site, or a script.
        let links = providers.flatMap { provider in
            let path = "\(AccountPath.logIn)/con/\(provider.id)"
            return [
                (Self.address(path, parameters), text.continueWith(provider.name)),
                (Self.address(path, parameters + ["\(Self.stay)=1"]), text.continueAndStayWith(provider.name)),
            ]
        }
        return PageSection(heading: text.otherWays, links: links)
    }

    private static func address(_ path: String, _ parameters: [String]) -> String {
        parameters.isEmpty ? path : "\(path)?\(parameters.joined(separator: "&"))"
    }

    /// The part of the account page; `nil` without providers and connections.
    func section(
        currentPassword: PageForm.Field?, _ text: AccountText, _ context: GatewayRequestContext
    ) async throws -> PageSection? {
        let connected = try await pages.accounts.identities(of: context.caller)
        guard !providers.isEmpty || !connected.isEmpty else { return nil }
        return PageSection(
            heading: text.connectedAccounts, text: text.connectedAccountsText,
            items: connected.map { item in
                let name = providers.first { $0.id == item.identity.provider }?.name ?? item.identity.provider
                return PageSection.Item(
                    text: name, detail: PageText(item.label),
                    forms: [
                        PageForm(
                            action: Self.disconnect,
                            fields: [
                                .init(name: "provider", label: "", type: "hidden", value: item.identity.provider),
                                .init(name: "subject", label: "", type: "hidden", value: item.identity.subject),
                                currentPassword,
                            ].compactMap(\.self), button: text.disconnect, isDangerous: true)
                    ],
                    links: takesPictures(of: item.identity.provider)
                        ? [("\(Self.connect)/\(item.identity.provider)/\(Self.photo)", text.usePictureOf(name))] : [])
            },
            links: providers.map { ("/cuenta/proveedores/\($0.id)", text.connectWith($0.name)) })
    }

    /// Whether a provider may have a picture of somebody that the server can fetch.
    private func takesPictures(of id: String) -> Bool {
        pages.photos?.fetchesPictures == true && issuer(id) != nil
    }

    /// The address of a provider that speaks OpenID Connect, the only ones that have a standard name for pictures.
    private func issuer(_ id: String) -> String? {
        guard case .openID(let issuer)? = providers.first(where: { $0.id == id })?.kind else { return nil }
        return issuer
    }

    // MARK: The way to the provider and back

    private func directory() throws -> ProviderDirectory {
        guard let providers = pages.providers else { throw ProblemDetails(.notFound) }
        return providers
    }

    private func redirectURI(_ provider: String) -> String {
        pages.publicAddress?.url("/cuenta/proveedor/\(provider)") ?? ""
    }

    private func begin(
        _ purpose: LogInAttempt.Purpose, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let directory = try directory()
        let id = try context.parameters.require("provider")
        do {
            let client = try directory.client(id)
            let attempt = LogInAttempt(
                provider: client.provider.id, purpose: purpose,
                next: ReturnPath(parsing: PageRequest.value(of: "next", in: request))?.text,
                staysLoggedIn: PageRequest.value(of: Self.stay, in: request) != nil,
                invitation: PageRequest.value(of: AccountPath.linkParameter, in: request).flatMap {
                    $0.utf8.count <= Self.maximumInvitationByteCount ? $0 : nil
                }, at: directory.now)
            let address = try await client.authorizationURL(
                for: attempt, redirectURI: redirectURI(client.provider.id))
            guard let sealed = directory.seal.seal(attempt) else { throw ProblemDetails(.badRequest) }
            return pages.redirect(
                address, cookie: AttemptCookie.setting(sealed, isSecure: pages.isSecure(request)))
        } catch let error as ProviderError {
            return try failure(error, of: id, request, context)
        }
    }

    /// A link of this server has about 60 bytes.
    private static let maximumInvitationByteCount = 200

    /// The provider sends the browser back.
    private func finish(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let directory = try directory()
        let id = try context.parameters.require("provider")
        do {
            // Wrong answers cost requests to the provider.
            try pages.accounts.admitProviderAnswer(from: context.caller.origin)
            guard let sealed = AttemptCookie.value(in: request.headers),
                let attempt = directory.seal.open(LogInAttempt.self, sealed)
            else { throw ProviderError(.attemptNotValid, "this browser has not begun a log-in") }
            try attempt.check(
                state: PageRequest.value(of: "state", in: request), provider: id, at: directory.now)
            let client = try directory.client(id)
            if let error = PageRequest.value(of: "error", in: request) {
                throw ProviderError(.refused, "it answers with the error \(error.prefix(100))")
            }
            guard let code = PageRequest.value(of: "code", in: request), !code.isEmpty else {
                throw ProviderError(.notValid, "its answer has no code")
            }
            let identity = try await client.identity(
                code: code, issuer: PageRequest.value(of: "iss", in: request), of: attempt,
                redirectURI: redirectURI(id))
            pages.accounts.providerAnswerSucceeded(from: context.caller.origin)
            var response = try await use(identity, attempt, request, context)
            response.headers[values: .setCookie].append(AttemptCookie.removing(isSecure: pages.isSecure(request)))
            return response
        } catch let error as ProviderError {
            return try failure(error, of: id, request, context)
        } catch let error as Refusal {
            return try LogInPages(pages: pages).form(next: nil, error: error, request, context)
        }
    }

    private func use(
        _ identity: ProviderIdentity, _ attempt: LogInAttempt, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let directory = try directory()
        if attempt.purpose == .connection {
            guard let session = context.principal.session else {
                throw Refusal(.loginNeeded, "log in first")
            }
            let pending = PendingIdentity(identity, of: attempt, session: session.text, at: directory.now)
            return try await connectionForm(pending, request, context)
        }
        if attempt.purpose == .picture { return try await takePicture(of: identity, request, context) }
        let outcome = try await pages.accounts.logIn(
            identity.external, role: role(of: identity), staysLoggedIn: attempt.staysLoggedIn,
            from: context.caller.origin)
        switch outcome {
        case .session(let session):
            return await pages.begin(session, ReturnPath(parsing: attempt.next)?.text ?? "/", request, context)
        case .secondFactorNeeded(let challenge):
            return try LogInPages(pages: pages).codeForm(challenge.text, next: attempt.next, request, context)
        case nil:
            let pending = PendingIdentity(identity, of: attempt, session: nil, at: directory.now)
            let proposal: Username? =
                if let name = identity.proposedUsername {
                    try await pages.accounts.freeUsername(like: name)
                } else { nil }
            return try signUpForm(pending, proposal: proposal, request, context)
        }
    }

    /// Makes the provider's picture of somebody the photo of their account.
    private func takePicture(
        of identity: ProviderIdentity, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        guard let photos = pages.photos else { throw ProblemDetails(.notFound) }
        let own = try await pages.accounts.identities(of: context.caller)
        guard own.contains(where: { $0.identity == identity.external }) else {
            throw ProviderError(.notValid, "the answer belongs to an identity that is not connected")
        }
        do {
            guard let address = identity.picture, let issuer = issuer(identity.external.provider) else {
                throw ProblemDetails(.notFound)
            }
            let photo = try await photos.photo(at: address, namedBy: issuer, for: context.uploadSender)
            _ = try await pages.accounts.changePhoto(to: photo, by: context.caller)
            return pages.redirect(AccountSection.profile.savedPath)
        } catch is ProblemDetails {
            return pages.redirect("\(AccountPath.account)?\(PhotoPages.pictureRefusalParameter)=1")
        }
    }

    /// The role that the provider decides; the lowest of the site if none of its groups counts here.
    private func role(of identity: ProviderIdentity) -> Role? {
        guard let names = identity.roles else { return nil }
        return names.compactMap(Role.init(rawValue:)).max() ?? pages.accounts.settings.initialRole
    }

    private func failure(
        _ error: ProviderError, of id: String, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        pages.providers?.note(error, of: id)
        let text = pages.text(request)
        let status: HTTPResponse.Status =
            switch error.code {
            case .unknown: .notFound
            case .notAvailable: .badGateway
            case .refused, .attemptNotValid, .notValid: .forbidden
            }
        var response = try pages.answer(
            text.logIn, [PageSection(links: [(AccountPath.logIn, text.tryAgain)])],
            error: text.providerErrors[error.code] ?? error.reason, request, context, status: status)
        response.headers[.setCookie] = AttemptCookie.removing(isSecure: pages.isSecure(request))
        return response
    }

    // MARK: Signing up

    private func signUpForm(
        _ pending: PendingIdentity, proposal: Username? = nil, sent: FormFields? = nil, error: Refusal? = nil,
        _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let (text, settings) = (pages.text(request), pages.accounts.settings)
        let provider = try directory().client(pending.identity.provider).provider.name
        guard settings.registration != .closed, settings.registration != .invitation || pending.invitation != nil
        else {
            return try pages.answer(
                text.signUp,
                [
                    PageSection(
                        text: settings.registration == .closed ? text.signUpClosed : text.signUpByInvitation,
                        links: [(AccountPath.logIn, text.logIn)])
                ], request, context, status: .forbidden)
        }
        guard let sealed = try directory().seal.seal(pending) else { throw ProblemDetails(.badRequest) }
        func field(
            _ name: String, _ label: String, _ type: String, _ proposal: String?, isRequired: Bool
        ) -> PageForm.Field {
            .init(
                name: name, label: isRequired ? label : "\(label) (\(text.optional))", type: type,
                value: sent?[name] ?? proposal ?? "", isRequired: isRequired,
                error: error?.fields.contains(name) == true ? error.map(text.fieldError) : nil)
        }
        let required = settings.requiredFields
        var fields = [
            field("username", text.username, "text", proposal?.text, isRequired: true),
            field("email", text.email, "email", pending.identity.email, isRequired: required.contains(.email)),
            field("name", text.name, "text", pending.identity.name, isRequired: required.contains(.name)),
        ]
        for (name, label, profileField) in [
            ("mobile", text.mobile, ProfileField.mobile), ("city", text.city, .city),
            ("country", text.country, .country),
        ] where required.contains(profileField) {
            fields.append(field(name, label, "text", nil, isRequired: true))
        }
        fields.append(.init(name: Self.identityField, label: "", type: "hidden", value: sealed))
        var links = [(path: AccountPath.logIn, text: text.logIn)]
        if error?.code == .emailTaken { links.append((AccountPath.account, text.account)) }
        return try pages.answer(
            text.signUp,
            [
                PageSection(
                    text: text.signUpWith(provider),
                    forms: [PageForm(action: Self.signUp, fields: fields, button: text.signUp)], links: links)
            ], error: error.map { $0.code == .emailTaken ? text.connectInstead : text.error($0) }, request, context,
            status: error.map(AccountPages.status) ?? .ok)
    }

    private func pending(_ sent: FormFields) throws(ProviderError) -> PendingIdentity {
        guard let directory = pages.providers,
            let pending = directory.seal.open(PendingIdentity.self, sent[Self.identityField] ?? ""),
            !pending.isExpired(at: directory.now)
        else { throw ProviderError(.attemptNotValid, "the form has expired") }
        return pending
    }

    private func register(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let waiting: PendingIdentity
        do throws(ProviderError) {
            waiting = try pending(sent)
            guard waiting.session == nil else {
                throw ProviderError(.attemptNotValid, "the form belongs to a connection")
            }
        } catch {
            return try failure(error, of: "", request, context)
        }
        let identity = waiting.identity
        do {
            var new = NewIdentity(
                identity.external, label: identity.label,
                verifiedEmail: identity.isEmailVerified ? identity.email : nil, role: role(of: identity))
            new.staysLoggedIn = waiting.staysLoggedIn
            let outcome = try await pages.accounts.register(
                Registration(
                    username: sent.text("username") ?? "", email: sent.text("email"), password: "",
                    profile: Profile(
                        name: sent.text("name"), mobile: sent.text("mobile"), city: sent.text("city"),
                        country: sent.text("country")), invitation: waiting.invitation),
                identity: new, from: context.caller.origin)
            if let session = outcome.session {
                return await pages.begin(
                    session, ReturnPath(parsing: waiting.next)?.text ?? AccountPath.account, request, context)
            }
            return try SignUpPages(pages: pages).waits(outcome, request, context)
        } catch let error as Refusal {
            return try signUpForm(waiting, sent: sent, error: error, request, context)
        }
    }

    // MARK: Connecting

    /// Asks once more: the browser may have been logged in to somebody else's account at the provider.
    private func connectionForm(
        _ pending: PendingIdentity, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = pages.text(request)
        let account = try await pages.accounts.account(of: context.caller)
        let provider = try directory().client(pending.identity.provider).provider.name
        guard let sealed = try directory().seal.seal(pending) else { throw ProblemDetails(.badRequest) }
        return try pages.answer(
            text.connectWith(provider),
            [
                PageSection(
                    text: text.connectQuestion(account.username),
                    items: [.init(text: pending.identity.label, detail: PageText(provider))],
                    forms: [
                        PageForm(
                            action: Self.connect,
                            fields: [
                                .init(name: Self.identityField, label: "", type: "hidden", value: sealed),
                                OwnAccountPages.currentPassword(account, text),
                            ].compactMap(\.self), button: text.connect)
                    ], links: [(AccountSection.security.path, text.goBack)])
            ], error: error.map(text.error), request, context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func connect(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let waiting: PendingIdentity
        do throws(ProviderError) {
            waiting = try pending(sent)
            guard let session = context.principal.session, waiting.session == session.text else {
                throw ProviderError(.attemptNotValid, "the form belongs to another session")
            }
        } catch {
            return try failure(error, of: "", request, context)
        }
        let identity = waiting.identity
        do {
            try await pages.accounts.connect(
                NewIdentity(identity.external, label: identity.label), password: sent["currentPassword"],
                by: context.caller)
            return pages.redirect(AccountSection.security.savedPath)
        } catch let error as Refusal {
            return try await connectionForm(waiting, error: error, request, context)
        }
    }

    private func disconnect(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            try await pages.accounts.disconnect(
                ExternalIdentity(provider: sent["provider"] ?? "", subject: sent["subject"] ?? ""),
                password: sent["currentPassword"], by: context.caller)
            return pages.redirect(AccountSection.security.savedPath)
        } catch let error as Refusal {
            return try await OwnAccountPages(pages: pages).account(.security, error: error, request, context)
        }
    }
}

extension ProviderIdentity {
    fileprivate var external: ExternalIdentity { ExternalIdentity(provider: provider, subject: subject) }

    /// A text with which its owner recognizes it.
    fileprivate var label: String { email ?? username ?? name ?? subject }

    /// A username made of the provider's data; the visitor can change it.
    fileprivate var proposedUsername: Username? {
        for text in [username, email.map { String($0.prefix { $0 != "@" }) }, name] {
            guard let text else { continue }
            let letters = text.precomposedStringWithCanonicalMapping.unicodeScalars.map { scalar -> Character in
                let isUsable = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-"
                return isUsable ? Character(scalar) : "."
            }
            let proposal = String(letters).trimmingCharacters(in: ["."]).prefix(Username.maximumCharacterCount)
            if let username = try? Username(String(proposal)) { return username }
        }
        return nil
    }
}
