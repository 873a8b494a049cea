import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LiveChannels
import Scoreboard
import SiteTexts
import Workflows

/// The matches that a tablet keeps. When there is no network, the service worker shows this page in place of that of a
/// match and that of a new one.
extension ScoreboardPages {
    var tabletEndpoint: Endpoint {
        Endpoint(
            .get, ScoreboardPath.tablet,
            .filters(reason: "it lists only the channels whose score the visitor may keep"), handler: tablet)
    }

    /// The words of the scripts with which a referee keeps the score.
    static func refereeWords(_ text: ScoreboardText, _ request: Request) -> String {
        let more = MatchTabletText.preferred(request.headers[.acceptLanguage])
        func object(_ words: [(String, String)]) -> JSONText { .object(words.map { ($0.0, .string($0.1)) }) }
        let conflicts = MatchConflict.Reason.allCases.map { ($0.rawValue, JSONText.string(text.text(of: $0))) }
        let words = (text.boardWords + text.refereeWords + more.words + [("flags", FlagDrawings.path)])
            .map { ($0.0, JSONText.string($0.1)) }
        let groups: [JSONText.Field] = [
            ("conflicts", .object(conflicts)), ("refusals", object(more.refusals)),
            ("events", object(more.events.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })),
        ]
        return JSONText.object(words + groups).rendered
    }

    /// The addresses of the files that the page needs without a network, separated by spaces.
    static func parts(_ page: SitePage) -> String {
        let scripts = SiteAssets.siteModules.keys.sorted().map { "/site/\(SiteAssets.scriptVersion)/scripts/\($0)" }
        return
            (scripts + [
                "/site/\(SiteAssets.styleVersion)/antena.css",
                "/site/\(page.playerText.version)/words/\(page.text.language).js",
                page.face.iconPath,
            ]).joined(separator: " ")
    }

    private func tablet(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (page, text) = (SitePage(.tablet, request, context), text(request))
        let mayScore = context.principal.member == nil ? [] : scored(context)
        let players = playersText(request)
        let form = MatchForm(text: text, players: players, language: .preferred(request.headers[.acceptLanguage]))
        let own: [String: Any] = [
            "s": text, "words": Self.refereeWords(text, request),
            "formWords": JSONText.object(Self.formWords(text, players)).rendered, "parts": Self.parts(page),
            "flags": FlagDrawings.path,
            "match": "", "names": "",
            "channels": Self.named(mayScore), "all": ScoreboardPath.all, "tablet": ScoreboardPath.tablet,
            "cancel": ScoreboardPath.all,
            "logInPath": AccountPath.logIn, "menu": menu(ScoreboardPath.tablet, request),
            "m": MatchTabletText.preferred(request.headers[.acceptLanguage]),
            "halves": MatchSide.allCases.map { side in
                ["side": side.rawValue, "name": side == .a ? text.sideA : text.sideB, "values": [["value": 1]]]
                    as [String: Any]
            },
        ]
        let values = form.values.merging(own) { $1 }.merging(Self.strategyValues(request)) { value, _ in value }
        var response = try page.response(values, title: text.tablet)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }
}
