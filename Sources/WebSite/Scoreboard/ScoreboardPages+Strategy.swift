import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LiveChannels
import SiteTexts

/// Drawings on courts, and the sections of a referee's pages.
extension ScoreboardPages {
    var strategyEndpoint: Endpoint {
        Endpoint(
            .get, ScoreboardPath.strategy,
            .filters(reason: "it lists only the channels whose score the visitor may keep"), handler: strategy)
    }

    /// The sections of a referee's pages, for the partial `scoremenu`.
    ///
    /// - Parameter path: the path of the section that is shown.
    func menu(_ path: String, _ request: Request) -> [[String: Any]] {
        let tablet = MatchTabletText.preferred(request.headers[.acceptLanguage])
        return ScoreboardMenu(text(request), playersText(request), tablet).values(path: path)
    }

    /// The values of the template of the strategy board.
    static func strategyValues(_ request: Request) -> [String: Any] {
        let text = StrategyText.preferred(request.headers[.acceptLanguage])
        return [
            "g": text, "strategyPath": ScoreboardPath.strategy, "strategyWords": text.words,
            "lineColors": text.colors, "lineWidths": text.widths, "lineOpacities": text.opacities,
        ]
    }

    private func strategy(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.strategy, request, context)
        let text = StrategyText.preferred(request.headers[.acceptLanguage])
        let mayScore = context.principal.member == nil ? [] : scored(context)
        let values: [String: Any] = [
            "s": self.text(request), "menu": menu(ScoreboardPath.strategy, request),
            "tablet": ScoreboardPath.tablet, "strategyChannels": Self.named(mayScore),
        ]
        var response = try page.response(
            values.merging(Self.strategyValues(request)) { value, _ in value }, title: text.heading)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    /// Names and titles of channels, as scripts read them.
    static func named(_ channels: [ChannelStatus]) -> String {
        let named = channels.map { channel in
            JSONText.object([
                ("name", .string(channel.name)), ("title", .string(SitePage.displayed(channel.title))),
            ])
        }
        return JSONText.array(named).rendered
    }
}
