import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
package import SupportInbox

/// `/api/v1/support-messages`: anybody writes to the operators, who read and delete.
package struct SupportEndpoints: Sendable {
    private let inbox: SupportInbox

    /// - Parameter inbox: takes the messages.
    package init(inbox: SupportInbox) { self.inbox = inbox }

    private static let path = "/api/v1/support-messages"

    package var endpoints: [Endpoint] {
        [
            Endpoint(
                .post, Self.path, .anyone(.comment, reason: "people who need help may have no account"), handler: send),
            Endpoint(.get, Self.path, .needs(.manage, .system)) { request, _ in
                let page = try PageRequest(request)
                let found = try await inbox.messages(after: page.cursor, limit: page.limit)
                return APIResources.page(found.items.map(Self.resource), next: found.next).response()
            },
            Endpoint(.get, "\(Self.path)/{id}", .needs(.manage, .system)) { _, caller in
                Self.resource(try await inbox.message(try caller.parameters.identifier(of: "message"))).response()
            },
            Endpoint(.delete, "\(Self.path)/{id}", .needs(.manage, .system)) { _, caller in
                try await inbox.remove(try caller.parameters.identifier(of: "message"))
                return Response(status: .noContent)
            },
        ]
    }

    /// The sender learns the ID and the time only.
    private func send(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(
            request, fields: ["sender", "subject", "text"], maximumTextLength: SupportMessage.maximumTextLength)
        let message = try await inbox.send(
            sender: try body.text("sender") ?? "", subject: try body.text("subject") ?? "",
            text: try body.text("text") ?? "", by: caller.caller)
        return JSONText.object([
            ("id", .string(message.id.text)), ("sentAt", APIResources.time(message.sentAt)),
        ]).response(status: .created)
    }

    private static func resource(_ message: SupportMessage) -> JSONText {
        .object([
            ("id", .string(message.id.text)), ("sender", .string(message.sender)),
            ("subject", .string(message.subject)), ("text", .string(message.text)),
            ("user", .optional(message.user?.text)), ("address", .string(message.address)),
            ("sentAt", APIResources.time(message.sentAt)),
        ])
    }
}
