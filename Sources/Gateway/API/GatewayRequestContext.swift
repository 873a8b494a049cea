import Foundation
package import Hummingbird
package import NIOCore

/// What a handler knows of a request besides the request.
package struct GatewayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// `nil` in tests without sockets.
    package let remoteAddress: SocketAddress?
    package let localAddress: SocketAddress?
    /// Whether the request carries the operator token. The router refuses others where an endpoint is for operators.
    package var isOperator = false

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        // A stream of HTTP/2 has its connection's address.
        remoteAddress = source.channel.remoteAddress ?? source.channel.parent?.remoteAddress
        localAddress = source.channel.localAddress ?? source.channel.parent?.localAddress
    }

    /// The captured components of the path, percent-decoded; hides Hummingbird's, which are as they were sent.
    var parameters: PathParameters { PathParameters(encoded: coreContext.parameters) }
}

/// Components of a path that an endpoint captures.
struct PathParameters {
    fileprivate let encoded: Parameters

    /// - Throws: ``ProblemDetails``, 404, for what is not UTF-8 when it is decoded.
    func require(_ name: String) throws -> String {
        guard let value = try encoded.require(name).removingPercentEncoding else {
            throw ProblemDetails(.notFound, "the path is not UTF-8")
        }
        return value
    }
}
