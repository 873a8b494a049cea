import Accounts
import Events
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
package import Webhooks
import Workflows

/// The page of the addresses that are sent events. It works without a script.
package struct WebhookPages: Sendable {
    /// The link to the page on the page of an account.
    package static let links = [
        AccountPageLink(path: path, need: (.manage, .system)) { WebhookText.of($0).heading }
    ]

    private static let path = "/operator/webhooks"
    private static let item = "\(path)/{id}"
    private static let rule = AccessRule.needs(.manage, .system)
    private static let savedParameter = "hecho"
    private static let field = "do"

    private let pages: AccountPages
    private let webhooks: Webhooks

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - webhooks: the receivers of events.
    package init(pages: AccountPages, webhooks: Webhooks) { (self.pages, self.webhooks) = (pages, webhooks) }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.rule) { request, context in
                let isSaved = PageRequest.value(of: Self.savedParameter, in: request) != nil
                return try await page(notice: isSaved ? text(request).done : nil, request, context)
            },
            Endpoint(.post, Self.path, Self.rule, handler: create),
            Endpoint(.post, Self.item, Self.rule, handler: change),
        ]
    }

    private func text(_ request: Request) -> WebhookText { .preferred(request.headers[.acceptLanguage]) }

    private func page(
        sent: FormFields? = nil, error: Refusal? = nil, notice: String? = nil, _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let (text, accountText) = (text(request), pages.text(request))
        let wanted = try PageRequest(request)
        let found = try await webhooks.receivers(after: wanted.cursor, limit: wanted.limit, by: context.caller)
        var list = PageSection(text: found.items.isEmpty ? text.none : text.introduction)
        list.items = found.items.map { item($0, text, accountText) }
        if let next = found.next { list.links.append(("?cursor=\(next)", accountText.more)) }
        let form = PageSection(
            heading: text.add, text: text.types.filled("types", with: webhooks.kinds.typeList),
            forms: [
                PageForm(
                    action: Self.path,
                    fields: [
                        .init(
                            name: "url", label: text.address, type: "url", value: sent?["url"] ?? "", isRequired: true,
                            error: error.map(accountText.fieldError)),
                        .init(name: "types", label: text.typesField, value: sent?["types"] ?? ""),
                        .init(name: "summary", label: text.summary, value: sent?["summary"] ?? ""),
                    ], button: text.add)
            ])
        return try pages.answer(
            text.heading, [list, form], error: error.map(accountText.error), notice: notice, request, context,
            status: error.map(AccountPages.status) ?? .ok)
    }

    private func item(_ receiver: WebhookReceiver, _ text: WebhookText, _ accountText: AccountText) -> PageSection.Item
    {
        func form(_ action: String, _ button: String, isDangerous: Bool = false) -> PageForm {
            PageForm(
                action: "\(Self.path)/\(receiver.id.text)",
                fields: [
                    .init(name: Self.field, label: "", type: "hidden", value: action),
                    .version(String(receiver.revision)),
                ], button: button, isDangerous: isDangerous)
        }
        let state =
            switch receiver.disabledReason {
            case nil: receiver.failingSince == nil ? text.works : text.fails
            case .requested?: text.off
            case .gone?, .failing?: text.stopped
            }
        return PageSection.Item(
            text: receiver.url,
            detail: PageText([receiver.summary, state].filter { !$0.isEmpty }.joined(separator: " · ")),
            forms: [
                form("test", text.test),
                receiver.isEnabled ? form("off", accountText.turnOff) : form("on", accountText.turnOn),
                form("remove", text.remove, isDangerous: true),
            ])
    }

    private func create(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let text = text(request)
        var settings = WebhookSettings(url: sent.text("url") ?? "", summary: sent.text("summary") ?? "")
        let types = (sent.text("types") ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        settings.filter.types = Set(types)
        do {
            let (_, secret) = try await webhooks.create(settings, for: nil, by: context.caller)
            return try pages.answer(
                text.heading,
                [
                    PageSection(
                        text: text.secretText, secret: secret.text, links: [(Self.path, pages.text(request).goBack)])
                ],
                menu: Self.path, request, context)
        } catch let error as Refusal {
            return try await page(sent: sent, error: error, request, context)
        }
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else { throw ProblemDetails(.notFound) }
        let sent = try await FormFields(request)
        do {
            switch sent[Self.field] {
            case "test": _ = try await webhooks.test(id, by: context.caller)
            case "remove": try await webhooks.remove(id, by: context.caller)
            case "on", "off":
                var change = WebhookChange()
                change.isEnabled = sent[Self.field] == "on"
                _ = try await webhooks.change(id, change, from: sent.revisions, by: context.caller)
            default: throw ProblemDetails(.unprocessableContent)
            }
            return pages.redirect("\(Self.path)?\(Self.savedParameter)=1")
        } catch let error as Refusal {
            return try await page(error: error, request, context)
        }
    }
}
