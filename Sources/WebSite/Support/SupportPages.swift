package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
package import SupportInbox
import Accounts
import Workflows

/// The form with which anybody writes to the operators, and the inbox. Both work without a script; with it, a draft
/// survives a reload.
package struct SupportPages: Sendable {
    /// The links to the pages on the page of an account.
    package static let links = [
        AccountPageLink(path: ResourcePaths.supportInbox, need: (.manage, .system)) { SupportText.of($0).inbox }
    ]

    private let pages: AccountPages
    private let inbox: SupportInbox

    static let path = "/ayuda"
    private static let inboxPath = ResourcePaths.supportInbox
    private static let reason = "people who need help may have no account"

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - inbox: takes the messages.
    package init(pages: AccountPages, inbox: SupportInbox) { (self.pages, self.inbox) = (pages, inbox) }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, .anyone(.session, reason: Self.reason)) { request, context in
                let text = SupportText.preferred(request.headers[.acceptLanguage])
                let isSent = PageRequest.value(of: "hecho", in: request) != nil
                return try form(nil, notice: isSent ? text.sent : nil, request, context)
            },
            Endpoint(.post, Self.path, .anyone(.session, reason: Self.reason)) { request, context in
                let sent = try await FormFields(request)
                do {
                    _ = try await inbox.send(
                        sender: sent["sender"] ?? "", subject: sent["subject"] ?? "", text: sent["text"] ?? "",
                        by: context.caller)
                    return pages.redirect("\(Self.path)?hecho=1")
                } catch let error as Refusal {
                    return try form(sent, error: error, request, context)
                }
            },
            Endpoint(.get, Self.inboxPath, .needs(.manage, .system), handler: list),
            Endpoint(.post, Self.inboxPath, .needs(.manage, .system)) { request, context in
                let sent = try await FormFields(request)
                guard let id = OpaqueID(parsing: sent["id"] ?? "") else {
                    throw ProblemDetails(.notFound, "there is no such message")
                }
                try await inbox.remove(id)
                return pages.redirect(Self.inboxPath)
            },
        ]
    }

    /// - Parameter sent: the values of the form that led here; `nil` for an empty one.
    private func form(
        _ sent: FormFields?, error: Refusal? = nil, notice: String? = nil, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = SupportText.preferred(request.headers[.acceptLanguage])
        let form = PageForm(
            action: Self.path,
            fields: [
                .init(
                    name: "sender", label: text.sender, value: sent?["sender"] ?? "", isRequired: true,
                    autocomplete: "email"),
                .init(name: "subject", label: text.subject, value: sent?["subject"] ?? "", isRequired: true),
                .init(name: "text", label: text.text, type: "textarea", value: sent?["text"] ?? ""),
            ], button: text.send, draft: notice == nil ? "ayuda" : nil)
        return try pages.answer(
            text.help, [PageSection(text: text.explanation, forms: [form])],
            error: error.map { text.error($0, pages.text(request)) }, notice: notice, request, context,
            status: error.map(AccountPages.status) ?? .ok)
    }

    private func list(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = SupportText.preferred(request.headers[.acceptLanguage])
        let wanted = try PageRequest(request)
        let page = try await inbox.messages(after: wanted.cursor, limit: wanted.limit)
        var section = PageSection(text: page.items.isEmpty ? text.empty : nil)
        section.items = page.items.map { message in
            .init(
                text: "\(message.subject) · \(message.sender)",
                detail: "\(pages.text(request).ago(message.sentAt)) · \(message.address) · \(message.text)",
                forms: [
                    PageForm(
                        action: Self.inboxPath,
                        fields: [.init(name: "id", label: "", type: "hidden", value: message.id.text)],
                        button: text.delete, isDangerous: true)
                ])
        }
        if let next = page.next { section.links.append(("\(Self.inboxPath)?cursor=\(next)", text.more)) }
        return try pages.answer(text.inbox, [section], request, context)
    }
}
