import Accounts
import Community
import HTTPEndpoints
import Hummingbird
import SiteTexts
import Workflows

/// The part of a page with the map of a competition.
struct CompetitionMapSection {
    let community: Community

    /// The values of the template; `nil` for a competition without a map.
    ///
    /// - Parameters:
    ///   - competition: whose map it is.
    ///   - day: the day whose videos are shown; `nil` for all.
    ///   - name: what the map is of, for those who do not see it.
    func values(
        of competition: OpaqueID, day: Int? = nil, name: String, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> [String: Any]? {
        let query = MapQuery(
            competition, day: day, visible: context.visibleTitles, reader: context.principal.member?.id)
        guard let (map, points) = try await community.map(query) else { return nil }
        let text = MapText.preferred(request.headers[.acceptLanguage])
        let drawing = MapDrawing(map, points, of: competition)
        var values: [String: Any] = [
            "heading": text.map, "scrolls": text.scrolls,
            "svg": drawing.svg(label: "\(text.mapOf) \(SitePage.displayed(name))"),
        ]
        let caption = text.caption(drawing.names, outsideCount: drawing.outsideCount)
        if !caption.isEmpty { values["caption"] = caption }
        return values
    }
}
