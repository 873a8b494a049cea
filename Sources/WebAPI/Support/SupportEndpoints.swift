import APIContract
import APIDeclarations
import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
package import SupportInbox

/// `/api/v1/support-messages`: anybody writes to the operators, who read and delete.
package struct SupportEndpoints: Sendable {
    private let inbox: SupportInbox

    /// - Parameter inbox: takes the messages.
    package init(inbox: SupportInbox) { self.inbox = inbox }

    package var endpoints: [Endpoint] {
        [
            Endpoint(
                SupportAPI.sendSupportMessage, .anyone(.comment, reason: "people who need help may have no account"),
                handler: send),
            Endpoint(SupportAPI.listSupportMessages, .needs(.manage, .system)) { request, _ in
                let page = try PageRequest(request)
                let found = try await inbox.messages(after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(Self.resource), next: found.next).response()
            },
            Endpoint(SupportAPI.getSupportMessage, .needs(.manage, .system)) { _, caller in
                Self.resource(try await inbox.message(try caller.parameters.identifier(of: "message"))).response()
            },
            Endpoint(SupportAPI.deleteSupportMessage, .needs(.manage, .system)) { _, caller in
                try await inbox.remove(try caller.parameters.identifier(of: "message"))
                return Response(status: .noContent)
            },
        ]
    }

    /// The sender learns the ID and the time only.
    private func send(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(
            request, NewSupportMessageFields.self, maximumTextLength: SupportMessage.maximumTextLength)
        let message = try await inbox.send(
            sender: try body.text(\.sender) ?? "", subject: try body.text(\.subject) ?? "",
            text: try body.text(\.text) ?? "", by: caller.caller)
        return SentSupportMessageFields.object {
            [$0.id(message.id.text), $0.sentAt(APIResources.time(message.sentAt))]
        }.response(status: .created)
    }

    private static func resource(_ message: SupportMessage) -> APIObject<SupportMessageFields> {
        SupportMessageFields.object {
            [
                $0.id(message.id.text), $0.sender(message.sender), $0.subject(message.subject), $0.text(message.text),
                $0.user(message.user?.text), $0.address(message.address),
                $0.sentAt(APIResources.time(message.sentAt)),
            ]
        }
    }
}
