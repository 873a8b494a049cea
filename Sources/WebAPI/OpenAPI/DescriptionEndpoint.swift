import APIContract
import APIDeclarations
import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import NIOCore
import Synchronization

/// `/api/v1/openapi.json`: the description of the API, rendered from the endpoints of the server.
package final class DescriptionEndpoint: Sendable {
    private let operations: [(operation: any DeclaredOperation, rule: AccessRule)]
    /// Rendered for the first client, not at the server's start.
    private let rendered = Mutex<String?>(nil)

    /// - Parameters:
    ///   - endpoints: all other endpoints of the server; those outside of the API are left out.
    ///   - pageRule: the rule of the page that shows the description to people.
    package init(of endpoints: [Endpoint], pageRule: AccessRule) {
        operations =
            endpoints.compactMap { endpoint in endpoint.operation.map { ($0, endpoint.rule) } } + [
                (AboutAPI.getDocumentation, pageRule), (AboutAPI.getDescription, Self.rule),
            ]
    }

    package var endpoint: Endpoint {
        Endpoint(AboutAPI.getDescription, Self.rule) { [self] _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "max-age=300"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }

    private static let rule = AccessRule.open(reason: "the description is the same for everybody")

    /// The description, in JSON.
    package var text: String {
        rendered.withLock { rendered in
            let text = rendered ?? APIDescription(entries).json.rendered
            rendered = text
            return text
        }
    }

    private var entries: [APIDescription.Entry] {
        operations.map { operation, rule in
            APIDescription.Entry(
                operation, security: Self.schemes(rule), isForStrangers: rule.includesStrangers,
                permission: rule.tokenNeed.description)
        }
    }

    /// The security schemes whose credentials a rule looks at.
    private static func schemes(_ rule: AccessRule) -> [String] {
        switch rule {
        case .open: []
        // What belongs to an account is not for the token of the server.
        case .member, .memberOrDevice: ["token", "sessionCookie"]
        case .anyone, .credentialed, .needs, .depends, .filters, .filtersChannels:
            ["operatorToken", "token", "sessionCookie"]
        }
    }
}
