import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Accounts and the audit log, for administrators.
struct AdministrationPages: Sendable {
    let pages: AccountPages

    private static let administers = AccessRule.needs(.administer, .accounts)

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, AccountPath.users, .needs(.read, .accounts)) { request, context in
                try await users(request, context)
            },
            Endpoint(.post, AccountPath.users, Self.administers, handler: change),
            Endpoint(.post, "\(AccountPath.users)/invitar", Self.administers, handler: invite),
            Endpoint(.post, "\(AccountPath.users)/enlace", Self.administers, handler: passwordLink),
            Endpoint(.get, AccountPath.auditLog, .needs(.read, .auditLog), handler: auditLog),
        ]
    }

    private func users(
        error: Refusal? = nil, sent: FormFields? = nil, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = pages.text(request)
        let wanted = try PageRequest(request)
        let page = try await pages.accounts.accounts(
            AccountFilter(prefix: wanted.query), after: wanted.cursor, limit: wanted.limit)
        var list = PageSection(
            search: (wanted.query ?? "", text.searchUsers, text.search),
            items: page.items.map { account in
                PageSection.Item(
                    text: account.username,
                    detail: PageText(
                        joining: [
                            PageText(text.name(of: account.role)), PageText(text.name(of: account.state)),
                            account.email.map { PageText("\($0)") },
                            account.lastLogInAt.map { "\(text.lastLogIn): \(text.ago($0))" },
                        ], with: " · "),
                    forms: forms(account, chosen: sent?["id"] == account.id.text ? sent?["role"] : nil, text),
                    links: context.may(.administer, .accounts)
                        ? [(AccountTokenPages.path(of: account.id), text.tokens)] : [])
            })
        if page.items.isEmpty { list.text = text.nobodyFound }
        if let next = page.next {
            let query = wanted.query.map { "&q=\(Self.escaped($0))" } ?? ""
            list.links.append(("\(AccountPath.users)?cursor=\(Self.escaped(next))\(query)", text.more))
        }
        let invitation = PageSection(
            heading: text.invite, text: text.inviteText,
            forms: [
                PageForm(
                    action: "\(AccountPath.users)/invitar", fields: [roleField(.member, text)], button: text.invite)
            ])
        return try pages.answer(
            text.users, [list, invitation], error: error.map(text.error), request, context,
            status: error.map(AccountPages.status) ?? .ok)
    }

    private func roleField(_ role: Role, _ text: AccountText) -> PageForm.Field {
        .init(
            name: "role", label: text.role, type: "select", value: role.rawValue,
            options: Role.allCases.map { ($0.rawValue, text.name(of: $0)) })
    }

    /// - Parameter chosen: the role that a form has asked for in vain; `nil` for the account's.
    private func forms(_ account: Account, chosen: String?, _ text: AccountText) -> [PageForm] {
        let id = PageForm.Field(name: "id", label: "", type: "hidden", value: account.id.text)
        func what(_ name: String) -> [PageForm.Field] {
            [id, .version(String(account.revision)), .init(name: "do", label: "", type: "hidden", value: name)]
        }
        func action(_ name: String, _ button: String, isDangerous: Bool = false) -> PageForm {
            PageForm(action: AccountPath.users, fields: what(name), button: button, isDangerous: isDangerous)
        }
        var forms: [PageForm] = []
        switch account.state {
        case .awaitingApproval, .awaitingConfirmation: forms.append(action("approve", text.approve))
        case .suspended: forms.append(action("restore", text.restore))
        case .active:
            forms.append(
                PageForm(
                    action: AccountPath.users, fields: what("suspend") + [.suspensionDays(text)], button: text.suspend,
                    isDangerous: true))
        }
        forms.append(
            PageForm(
                action: AccountPath.users,
                fields: what("role") + [roleField(chosen.flatMap(Role.init(rawValue:)) ?? account.role, text)],
                button: text.changeRole))
        forms.append(PageForm(action: "\(AccountPath.users)/enlace", fields: [id], button: text.passwordLink))
        return forms
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            guard let id = UserID(parsing: sent["id"] ?? "") else {
                throw Refusal(.notFound, "there is no such account")
            }
            switch sent["do"] {
            case "approve": _ = try await pages.accounts.approve(id, from: sent.revisions, by: context.caller)
            case "suspend":
                let account = try await pages.accounts.suspend(
                    id, for: try sent.suspensionTime(), from: sent.revisions, by: context.caller)
                pages.send(.suspended(of: account, note: ""), request)
            case "restore": _ = try await pages.accounts.restore(id, from: sent.revisions, by: context.caller)
            case "role":
                guard let role = Role(rawValue: sent["role"] ?? "") else {
                    throw Refusal(.invalidField, "there is no such role", fields: ["role"])
                }
                _ = try await pages.accounts.setRole(role, of: id, from: sent.revisions, by: context.caller)
            default: throw ProblemDetails(.badRequest, "the form does not belong to this page")
            }
            return pages.redirect(AccountPath.users)
        } catch let error as Refusal {
            return try await users(error: error, sent: sent, request, context)
        }
    }

    private func invite(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let role = Role(rawValue: sent["role"] ?? "") ?? .member
        let link = try await pages.accounts.invite(role: role, by: context.caller)
        return try show(link, AccountPath.signUp, request, context)
    }

    private func passwordLink(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            guard let id = UserID(parsing: sent["id"] ?? "") else {
                throw Refusal(.notFound, "there is no such account")
            }
            let link = try await pages.accounts.passwordResetLink(for: id, by: context.caller)
            return try show(link, AccountPath.newPassword, request, context)
        } catch let error as Refusal {
            return try await users(error: error, request, context)
        }
    }

    private func show(
        _ link: NewLink, _ path: String, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        let local = "\(path)?\(AccountPath.linkParameter)=\(link.secret.text)"
        let origin = SitePage(.account, request, context).origin
        return try pages.answer(
            text.users,
            [
                PageSection(
                    text: text.linkText, secret: pages.publicAddress?.url(local) ?? origin + local,
                    links: [(AccountPath.users, text.goBack)])
            ], request, context)
    }

    // MARK: Audit log

    private func auditLog(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = pages.text(request)
        let wanted = try PageRequest(request)
        let page = try await pages.accounts.auditLog(
            AuditFilter(event: wanted.query), after: wanted.cursor, limit: wanted.limit)
        var section = PageSection(
            search: (wanted.query ?? "", text.searchEvents, text.search),
            items: page.items.map { entry in
                let change = [entry.before, entry.after].compactMap(\.self).joined(separator: " → ")
                return PageSection.Item(
                    text: entry.event,
                    detail: PageText(
                        joining: [text.time(entry.happenedAt)]
                            + [entry.actorName, entry.address, channel(of: entry), change.isEmpty ? nil : change]
                            .map { $0.map { PageText($0) } }, with: " · "))
            }, links: [("/api/v1/audit?format=csv", "CSV")])
        if let next = page.next {
            let query = wanted.query.map { "&q=\(Self.escaped($0))" } ?? ""
            section.links.insert(("\(AccountPath.auditLog)?cursor=\(Self.escaped(next))\(query)", text.more), at: 0)
        }
        return try pages.answer(text.auditLog, [section], request, context)
    }

    /// The title of the channel that a change is about; `nil` for other changes, and for a channel that is gone. The
    /// log itself has names, which stay the same.
    private func channel(of entry: AuditEntry) -> String? {
        guard entry.event == AuditEvent.channelGrantChanged.rawValue,
            let name = (entry.after ?? entry.before)?.split(separator: ":").first
        else { return nil }
        return pages.channelTitle(String(name))
    }

    private static func escaped(_ text: String) -> String { SitePage.queryComponent(text) }
}
