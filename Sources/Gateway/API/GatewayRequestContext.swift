import Foundation
package import Hummingbird
package import NIOCore

/// The context of a request: its connection's addresses, its authority, and the captured path components.
package struct GatewayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The client's address; `nil` in tests without sockets.
    package let remoteAddress: SocketAddress?
    /// The server's own address of the connection; `nil` in tests without sockets.
    package let localAddress: SocketAddress?
    /// True if the request carries the operator token. The router rejects requests without it if the endpoint is for
    /// operators.
    package var isOperator = false

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        // An HTTP/2 stream uses the address of its connection.
        remoteAddress = source.channel.remoteAddress ?? source.channel.parent?.remoteAddress
        localAddress = source.channel.localAddress ?? source.channel.parent?.localAddress
    }

    /// The captured components of the path, percent-decoded. Shadows Hummingbird's property, whose components are still
    /// encoded.
    var parameters: PathParameters { PathParameters(encoded: coreContext.parameters) }
}

/// The path components that an endpoint captures.
struct PathParameters {
    fileprivate let encoded: Parameters

    /// The decoded value of a captured component.
    ///
    /// - Throws: ``ProblemDetails`` with status 404 if the decoded value is not UTF-8.
    func require(_ name: String) throws -> String {
        guard let value = try encoded.require(name).removingPercentEncoding else {
            throw ProblemDetails(.notFound, "the path is not UTF-8")
        }
        return value
    }
}
