import Accounts
import Hummingbird

/// While the station is in maintenance, its pages say so to everybody but those who manage the server. Publishers,
/// players, apps and the API go on: the rule spares people half-finished work, and protects nothing.
enum MaintenanceRule {
    /// Seconds after which programs that see the page come back.
    private static let retryDelay = 300
    /// The paths that stay: a manager can log in, and go to the dashboard.
    private static let openPaths = [AccountPath.account, "/operator"]

    /// - Throws: the problem that the page shows, if the sender of the request does not see the site.
    static func admit(_ context: GatewayRequestContext, to endpoint: Endpoint) throws(ProblemDetails) {
        guard let text = context.face.maintenance, !endpoint.path.hasPrefix("/api/"),
            !openPaths.contains(where: { endpoint.path == $0 || endpoint.path.hasPrefix("\($0)/") }),
            !context.may(.manage, .system)
        else { return }
        var problem = ProblemDetails(.serviceUnavailable, text)
        problem.headers[.retryAfter] = "\(retryDelay)"
        throw problem
    }
}
