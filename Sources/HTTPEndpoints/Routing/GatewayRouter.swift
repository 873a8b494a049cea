import Hummingbird

/// The router, with paths normalized first: `/titles/garden%2Dof%2Dlife` and `/titles/garden-of-life` are the same (RFC
/// 3986 §6.2.2.2).
package struct GatewayRouter: HTTPResponderBuilder {
    let router: Router<GatewayRequestContext>
    /// Decides whose identifiers of requests are taken.
    let authority: RequestAuthority
    let statistics: HTTPStatistics
    let strictTransport: StrictTransport

    package func buildResponder() -> GatewayResponder {
        GatewayResponder(
            responder: router.buildResponder(), authority: authority, statistics: statistics,
            strictTransport: strictTransport)
    }
}
