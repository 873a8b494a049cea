import HTTPEndpoints
import HTTPTypes
import Hummingbird
import SiteTexts

/// Lists that tell no results, for people who still want to watch the matches. Their browser remembers the choice, and
/// the player's script reads it, which would otherwise mark the points that are to come.
extension ScoreboardPages {
    private static let cookie = "antena_results"
    private static let hidden = "hidden"
    private static let cookieSeconds = 365 * 86_400

    var hidingEndpoint: Endpoint {
        Endpoint(
            .post, ScoreboardPath.hiding,
            .anyone(.session, reason: "visitors choose for their browser what lists tell"),
            handler: choose)
    }

    /// Whether the visitor wants no results in lists.
    static func hidesResults(_ request: Request) -> Bool {
        RequestCookie.value(named: cookie, in: request.headers) == hidden
    }

    private func choose(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let isHidden = sent["results"] == Self.hidden
        let secure = pages.isSecure(request) ? "; Secure" : ""
        return pages.redirect(
            ReturnPath(parsing: sent["next"])?.text ?? ScoreboardPath.results,
            cookie: "\(Self.cookie)=\(isHidden ? Self.hidden : ""); Path=/; SameSite=Lax; "
                + "Max-Age=\(isHidden ? Self.cookieSeconds : 0)\(secure)")
    }

    /// The values of the partial `hiding`, the button with which visitors choose.
    ///
    /// - Parameter path: the page that is shown afterwards.
    func hiding(_ request: Request, _ context: GatewayRequestContext, at path: String) -> [String: Any] {
        let (text, isHidden) = (SpoilerText.preferred(request.headers[.acceptLanguage]), Self.hidesResults(request))
        return [
            "action": ScoreboardPath.hiding, "csrf": context.csrfToken ?? false as Any, "next": path,
            "value": isHidden ? "" : Self.hidden, "button": isHidden ? text.showAll : text.hide,
        ]
    }
}
