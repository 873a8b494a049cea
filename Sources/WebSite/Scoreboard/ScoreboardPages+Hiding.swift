import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import Scoreboard
import SiteTexts

/// Lists that tell no results, for people who still want to watch the matches. The server remembers the choice of
/// members, and which matches they have watched; the browser those of others. The player's script notes what is
/// watched.
extension ScoreboardPages {
    private static let cookie = "antena_results"
    private static let hidden = "hidden"
    /// The matches that a visitor has watched, as `overlay.js` writes them: identifiers with dots between them.
    private static let watchedCookie = "antena_watched"
    private static let cookieSeconds = 365 * 86_400

    var hidingEndpoint: Endpoint {
        Endpoint(
            .post, ScoreboardPath.hiding,
            .anyone(.session, reason: "visitors choose for themselves what lists tell"),
            handler: choose)
    }

    /// The results that the visitor does not want to be told.
    func hiddenResults(_ request: Request, _ context: GatewayRequestContext) async throws -> HiddenResults {
        if let member = context.principal.member { return try await scoreboard.hiddenResults(of: member.id) }
        guard RequestCookie.value(named: Self.cookie, in: request.headers) == Self.hidden else { return .none }
        let watched = RequestCookie.value(named: Self.watchedCookie, in: request.headers) ?? ""
        return HiddenResults(
            hides: true, watched: Set(watched.split(separator: ".").compactMap { OpaqueID(parsing: String($0)) }))
    }

    private func choose(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let isHidden = sent["results"] == Self.hidden
        let next = ReturnPath(parsing: sent["next"])?.text ?? ScoreboardPath.results
        if let member = context.principal.member {
            try await scoreboard.hideResults(isHidden, of: member.id)
            return pages.redirect(next)
        }
        let secure = pages.isSecure(request) ? "; Secure" : ""
        return pages.redirect(
            next,
            cookie: "\(Self.cookie)=\(isHidden ? Self.hidden : ""); Path=/; SameSite=Lax; "
                + "Max-Age=\(isHidden ? Self.cookieSeconds : 0)\(secure)")
    }

    /// The values of the partial `hiding`, the button with which visitors choose.
    ///
    /// - Parameters:
    ///   - isHidden: whether results are hidden now.
    ///   - path: the page that is shown afterwards.
    func hiding(
        _ isHidden: Bool, _ request: Request, _ context: GatewayRequestContext, at path: String
    ) -> [String: Any] {
        let text = SpoilerText.preferred(request.headers[.acceptLanguage])
        return [
            "action": ScoreboardPath.hiding, "csrf": context.csrfToken ?? false as Any, "next": path,
            "value": isHidden ? "" : Self.hidden, "button": isHidden ? text.showAll : text.hide,
        ]
    }
}
