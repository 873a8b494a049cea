import Accounts
import HTTPEndpoints
import Hummingbird
import SiteTexts

/// All components of the style sheet in each of their states, to be looked at when one is changed.
struct ComponentsPage: Sendable {
    /// Names that are short, usual, and longer than any place for them.
    private static let names = ["A", "El faro del norte", String(repeating: "Larguísimo ", count: 12), "<b>&amp;</b>"]

    var endpoint: Endpoint {
        Endpoint(.get, OperatorPath.components, .needs(.manage, .system)) { request, context in
            let page = SitePage(.components, request, context)
            let text = DashboardText.of(page.text.siteLanguage)
            let cards = Self.names.map { name in
                SitePage.placeholder(name).merging(["name": name, "photo": false]) { $1 }
            }
            return try page.response(["d": text, "cards": cards], title: text.components)
        }
    }
}
