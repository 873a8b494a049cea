import Accounts
import Community
import HTTPEndpoints
import Hummingbird

/// What the endpoints of the community have in common.
struct CommunityContext: Sendable {
    /// `nil` for a server without one.
    let community: Community?

    /// - Throws: `ProblemDetails` with 404.
    func required() throws -> Community {
        guard let community else { throw ProblemDetails(.notFound, "this server has no community") }
        return community
    }

    /// The ID that a path names.
    ///
    /// - Parameters:
    ///   - kind: what it is the ID of, such as `competition`.
    ///   - parameter: the name of the path's parameter.
    static func identifier(
        _ caller: GatewayRequestContext, _ kind: String, parameter: String = "id"
    ) throws -> OpaqueID {
        guard let id = OpaqueID(parsing: try caller.parameters.require(parameter)) else {
            throw ProblemDetails(.notFound, "there is no such \(kind)")
        }
        return id
    }
}
