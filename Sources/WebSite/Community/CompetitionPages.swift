import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The list of competitions, and the page of each, for everybody who may read the site.
struct CompetitionPages: Sendable {
    let community: Community
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?

    private static let reads = AccessRule.needs(.read, .site)
    private static let sectionParameter = "section"
    private static let finished = "finished"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, CommunityPath.community, Self.reads, handler: list),
            Endpoint(.get, "\(CommunityPath.community)/{id}", Self.reads, handler: show),
            Endpoint(
                .post, "\(CommunityPath.community)/{id}/\(CommunityPath.follow)",
                .member(.session, reason: "members follow competitions"), handler: follow),
        ]
    }

    /// Whether a visitor has the links that lead to forms.
    private static func mayEdit(_ context: GatewayRequestContext) -> Bool {
        context.principal.member != nil && context.may(.manage, .library)
    }

    private func list(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.community, request, context)
        let text = CommunityText.preferred(request.headers[.acceptLanguage])
        let wanted = try PageRequest(request)
        let showsFinished = PageRequest.value(of: Self.sectionParameter, in: request) == Self.finished
        let now = community.now
        let found = try await community.competitions(
            CompetitionFilter(showsFinished ? .ended(by: now) : .endingAfter(now), text: wanted.query),
            after: wanted.cursor, limit: wanted.limit)
        let filters = showsFinished ? [(name: Self.sectionParameter, value: Self.finished)] : []
        let choice = ListChoice(orders: [], usualOrder: "", order: "", filters: filters)
        var values = page.list(wanted, choice, next: found.next, isEmpty: found.items.isEmpty)
        values["c"] = text
        values["searchLabel"] = text.search
        if showsFinished { values["section"] = Self.finished }
        values["heading"] = showsFinished ? text.finishedOnes : text.competitions
        if found.items.isEmpty, wanted.query == nil { values["empty"] = showsFinished ? text.noneFinished : text.none }
        values["competitions"] = found.items.map {
            CompetitionCard(competition: $0, now: now, mayEdit: Self.mayEdit(context)).values(text)
        }
        values["other"] = [
            "path": showsFinished
                ? CommunityPath.community : "\(CommunityPath.community)?\(Self.sectionParameter)=\(Self.finished)",
            "text": showsFinished ? text.currentOnes : text.finishedOnes,
        ]
        values["videos"] = ["path": VideoPath.list, "text": text.videos]
        let videoText = VideoPageText.preferred(request.headers[.acceptLanguage])
        var links = [
            ["path": ForumPath.forum, "text": ForumPageText.preferred(request.headers[.acceptLanguage]).forum],
            ["path": VideoPath.search, "text": videoText.searchEverything],
            ["path": VideoPath.memberSearch, "text": videoText.searchMembers],
        ]
        if let member = context.principal.member {
            links += [
                ["path": VideoPath.feed, "text": videoText.feed],
                ["path": VideoPath.activity, "text": videoText.activity],
                ["path": VideoPath.member(member.username), "text": videoText.profile],
            ]
        }
        if context.may(.moderate, .reports), context.principal.member != nil {
            links.append(["path": VideoPath.moderation, "text": videoText.moderation])
        }
        values["more"] = links
        if Self.mayEdit(context) { values["create"] = CommunityPath.new }
        return try page.response(
            values, links: [(FeedDocument.mediaType, VideoPath.listFeed, text.videos)],
            around: CommunityBanners.values(community))
    }

    private func show(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else { throw ProblemDetails(.notFound) }
        let page = SitePage(.competition, request, context)
        let text = CommunityText.preferred(request.headers[.acceptLanguage])
        let (standings, competition) = try await community.standings(of: id)
        var values = self.values(of: competition, text, entersClosed: Self.mayEdit(context))
        if !standings.isEmpty {
            values["standings"] = [
                "header": standings.header.map(SitePage.displayed),
                "rows": standings.rows.map { ["cells": $0.map(SitePage.displayed)] },
            ]
        }
        if competition.map != nil {
            values["map"] = try await CompetitionMapSection(community: community).values(
                of: id, name: competition.name, request, context)
        }
        if let member = context.principal.member {
            let isFollowed = try await community.follows(id, member.id)
            let form = PageForm(
                action: "\(CommunityPath.competition(id))/\(CommunityPath.follow)",
                fields: [.init(name: "do", label: "", type: "hidden", value: isFollowed ? Self.unfollow : "")],
                button: isFollowed ? text.unfollow : text.follow, isQuiet: isFollowed,
                icon: isFollowed ? .done : .follow)
            values["follow"] = form.values(csrf: context.csrfToken)
        }
        if Self.mayEdit(context) {
            values["edit"] = [
                "path": CommunityPath.edit(id), "standingsPath": CommunityPath.edit(id, CommunityPath.standings),
                "mapPath": CommunityPath.edit(id, CommunityPath.map),
                "mapText": MapText.preferred(request.headers[.acceptLanguage]).edit,
            ]
        }
        return try page.response(
            values, title: SitePage.displayed(competition.name),
            preview: page.preview(
                "website", of: competition.name, at: CommunityPath.competition(id), text: competition.description,
                image: ResourcePaths.image(competition), publicAddress),
            links: [
                (
                    FeedDocument.mediaType,
                    VideoPath.listFeed + VideoPath.query(.competition(id, day: nil), nil), text.videos
                )
            ], around: CommunityBanners.values(community))
    }

    private static let unfollow = "unfollow"

    private func follow(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else { throw ProblemDetails(.notFound) }
        if try await FormFields(request)["do"] == Self.unfollow {
            try await community.unfollow(id, by: context.caller)
        } else {
            try await community.follow(id, by: context.caller)
        }
        return Response(
            status: .seeOther,
            headers: [.location: CommunityPath.competition(id), .cacheControl: "private, no-store"])
    }

    /// - Parameter entersClosed: whether there are links to the videos before the competition opens.
    private func values(
        of competition: Competition, _ text: CommunityText, entersClosed: Bool
    ) -> [String: Any] {
        let (now, schedule) = (community.now, competition.schedule)
        let isClosed = competition.state(at: now) == .closed
        let isEntered = !isClosed || entersClosed
        var values: [String: Any] = [
            "c": text, "name": SitePage.displayed(competition.name), "dates": text.dates(schedule),
            "stateText": text.state(competition.state(at: now)), "timeZone": schedule.zone.identifier,
            "calendar": "/api/v1/competitions/\(competition.id)/calendar.ics",
            "days": schedule.days.map { day in
                var values: [String: Any] = [
                    "anchor": "day-\(day.number)", "label": text.day(day.number), "date": day.date.description,
                    "text": text.weekday(day.date), "stateText": text.state(day.state(at: now)),
                ]
                if isEntered { values["entry"] = "\(Self.videos(of: competition.id))&day=\(day.number)" }
                return values
            },
        ]
        if isEntered { values["videos"] = ["path": Self.videos(of: competition.id), "text": text.videos] }
        if isClosed { values["opening"] = CompetitionCard.opening(schedule, text) }
        if !competition.description.isEmpty {
            values["description"] = SitePage.displayedLines(competition.description)
        }
        if let path = ResourcePaths.image(competition) { values["image"] = path }
        return values
    }

    private static func videos(of id: OpaqueID) -> String { "\(VideoPath.list)?competition=\(id)" }
}
