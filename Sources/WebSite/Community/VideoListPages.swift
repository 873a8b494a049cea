import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// Lists of videos: all, search, those of a competition, of a member, and of members whom the visitor follows.
struct VideoListPages: Sendable {
    let pages: PublishedVideoPages

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, VideoPath.list, PublishedVideoPages.reading, handler: all),
            Endpoint(.get, VideoPath.feed, PublishedVideoPages.taking) { request, context in
                let scope = context.principal.member.map { VideoQuery.Scope.feed(of: $0.id) } ?? .all
                return try await list(pages.text(request).feed, scope, [:], request, context)
            },
            Endpoint(.get, "\(VideoPath.members){name}", PublishedVideoPages.reading, handler: member),
            Endpoint(.post, "\(VideoPath.members){name}/\(VideoPath.follow)", PublishedVideoPages.taking) {
                request, context in
                let name = try context.parameters.require("name")
                let sent = try await FormFields(request)
                _ = try await pages.community.setFollow(sent["on"] == "1", name, by: context.caller)
                return pages.pages.redirect(ReturnPath(parsing: sent["next"])?.text ?? VideoPath.member(name))
            },
            barrier(.block, VideoPath.block), barrier(.mute, VideoPath.mute),
            Endpoint(.post, "\(VideoPath.members){name}/\(VideoPath.report)", PublishedVideoPages.taking) {
                request, context in
                let name = try context.parameters.require("name")
                let sent = try await FormFields(request)
                let member = try await pages.community.member(named: name)
                try await pages.community.report(
                    .profile, OpaqueID(member), sent["reason"].flatMap(ReportReason.init(rawValue:)) ?? .other,
                    text: sent["text"] ?? "", by: context.caller)
                return pages.pages.redirect(VideoPath.list)
            },
        ]
    }

    /// All videos, or those of a competition or one of its days.
    private func all(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let scope = try Self.scope(request)
        guard case .competition(let id, let day) = scope else {
            return try await list(pages.text(request).videos, scope, [:], request, context)
        }
        let competition = try await pages.community.competition(id)
        // The page of the competition says when it opens.
        if competition.state(at: pages.community.now) == .closed, !context.may(.manage, .library) {
            return pages.pages.redirect(CommunityPath.competition(id))
        }
        let text = CommunityText.preferred(request.headers[.acceptLanguage])
        let parts = [competition.name, day.map(text.day)].compactMap(\.self)
        return try await list(
            parts.joined(separator: " · "),
            scope, ["links": [["path": CommunityPath.competition(id), "text": text.backToCompetition]]], request,
            context)
    }

    private func barrier(_ kind: BarrierKind, _ path: String) -> Endpoint {
        Endpoint(.post, "\(VideoPath.members){name}/\(path)", PublishedVideoPages.taking) { request, context in
            let name = try context.parameters.require("name")
            let sent = try await FormFields(request)
            _ = try await pages.community.setBarrier(kind, sent["on"] == "1", name, by: context.caller)
            return pages.pages.redirect(VideoPath.member(name))
        }
    }

    /// The buttons of a member's page.
    private static func forms(_ profile: MemberProfile, isFollowed: Bool, _ text: VideoPageText) -> [PageForm] {
        let name = profile.username
        return (profile.isBlocked ? [] : [followForm(name, isFollowed: isFollowed, text)]) + [
            toggle(name, VideoPath.mute, profile.isMuted, text.mute, text.unmute),
            toggle(name, VideoPath.block, profile.isBlocked, text.block, text.unblock),
        ]
    }

    /// A button that begins or ends something about a member.
    private static func toggle(
        _ name: String, _ path: String, _ isOn: Bool, _ set: String, _ unset: String, returningTo list: String? = nil
    ) -> PageForm {
        var fields: [PageForm.Field] = [.init(name: "on", label: "", type: "hidden", value: isOn ? "0" : "1")]
        if let list { fields.append(.init(name: "next", label: "", type: "hidden", value: list)) }
        return PageForm(
            action: VideoPath.member(name, path), fields: fields, button: isOn ? unset : set, isQuiet: isOn,
            icon: path == VideoPath.follow ? (isOn ? .done : .follow) : nil)
    }

    private static func reportForm(_ profile: MemberProfile, _ text: VideoPageText) -> PageForm {
        PageForm(
            action: VideoPath.member(profile.username, VideoPath.report),
            fields: [
                .init(
                    name: "reason", label: text.reason, type: "select",
                    options: ReportReason.allCases.map { ($0.rawValue, text.reasons[$0] ?? $0.rawValue) }),
                .init(name: "text", label: text.reportText, type: "textarea"),
            ], button: text.report)
    }

    static func scope(_ request: Request) throws -> VideoQuery.Scope {
        guard let competition = PageRequest.value(of: "competition", in: request) else { return .all }
        guard let id = OpaqueID(parsing: competition) else { throw ProblemDetails(.notFound) }
        let day = PageRequest.value(of: "day", in: request).flatMap { Int($0) }
        return .competition(id, day: day.flatMap { (1...366).contains($0) ? $0 : nil })
    }

    private func member(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (name, text) = (try context.parameters.require("name"), pages.text(request))
        let profile = try await pages.community.profile(
            of: name, for: context.caller, maySeeHidden: VideoViewing.isModerator(context))
        var values: [String: Any] = [
            "counts": text.ownVideos(profile.videos)
        ]
        let people = [
            (VideoPath.followers, text.followers(profile.followers)),
            (VideoPath.followings, text.followings(profile.followings)),
        ]
        let isOwn = profile.id == context.principal.member?.id
        values["people"] = people.map { action, name -> [String: Any] in
            guard profile.showsFollows || isOwn else { return ["plain": name] }
            return ["link": ["path": VideoPath.member(profile.username, action), "text": name]]
        }
        if let isFollowed = profile.isFollowed {
            values["forms"] = Self.forms(profile, isFollowed: isFollowed, text).map {
                $0.values(csrf: context.csrfToken)
            }
            values["report"] = [
                "summary": text.report, "forms": [Self.reportForm(profile, text).values(csrf: context.csrfToken)],
            ]
        }
        // The photo is for members.
        let photo = ResourcePaths.photo(ofMember: profile.username, profile.photo)
        values["avatar"] = SitePage.avatar(
            profile.username, photo: context.principal.member == nil ? nil : photo)
        if profile.state == .hidden { values["state"] = text.hiddenProfile }
        if !profile.about.isEmpty { values["about"] = SitePage.displayedLines(profile.about) }
        if isOwn {
            values["links"] = [
                ["path": VideoPath.profile, "text": text.edit], ["path": VideoPath.activity, "text": text.activity],
            ]
        }
        return try await list(profile.username, .member(profile.id), values, request, context)
    }

    /// The button that follows a member, or ends that.
    ///
    /// - Parameter list: where the button leads; `nil` for the member's page.
    static func followForm(
        _ name: String, isFollowed: Bool, returningTo list: String? = nil, _ text: VideoPageText
    ) -> PageForm {
        toggle(name, VideoPath.follow, isFollowed, text.follow, text.unfollow, returningTo: list)
    }

    private func list(
        _ heading: String, _ scope: VideoQuery.Scope, _ more: [String: Any], _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let (page, text) = (SitePage(.videos, request, context), pages.text(request))
        let wanted = try PageRequest(request)
        let order = PageRequest.value(of: "sort", in: request).flatMap(VideoQuery.Order.init(rawValue:)) ?? .newest
        var query = VideoQuery(
            scope, order: order, matching: wanted.query, visible: context.visibleTitles,
            reader: context.principal.member?.id)
        query.entersClosed = context.may(.manage, .library)
        let found = try await pages.community.videos(query, after: wanted.cursor, limit: wanted.limit)
        var choice = ListChoice(
            orders: [
                (VideoQuery.Order.newest.rawValue, text.newest), (VideoQuery.Order.likes.rawValue, text.mostLiked),
            ],
            usualOrder: VideoQuery.Order.newest.rawValue, order: order.rawValue)
        if case .competition(let id, let day) = scope {
            choice.filters = [("competition", id.text)] + (day.map { [("day", "\($0)")] } ?? [])
        }
        var values = page.list(wanted, choice, next: found.next, isEmpty: found.items.isEmpty)
        if pages.community.takesUploads, MemberUploads.maySend(context) {
            values["upload"] = ["path": VideoPath.upload, "text": text.publish]
        }
        values.merge(more) { $1 }
        values["pageHeading"] = SitePage.displayed(heading)
        values["videos"] = found.items.map { pages.card($0, text) }
        values["searchLabel"] = text.search
        if case .competition(let id, let day?) = scope, wanted.cursor == nil, wanted.query == nil {
            values["map"] = try await CompetitionMapSection(community: pages.community).values(
                of: id, day: day, name: "\(text.day) \(day)", request, context)
        }
        if found.items.isEmpty { values["empty"] = ["text": text.notHere] }
        var links: [SitePage.AlternateLink] = []
        if let path = Self.path(of: scope, heading) {
            let feed = VideoPath.feed(ofListAt: path) + VideoPath.query(scope, wanted.query)
            links.append((FeedDocument.mediaType, feed, heading))
        }
        return try page.response(
            values, title: SitePage.displayed(heading), links: links, around: CommunityBanners.values(pages.community))
    }

    /// The path of a list that has a feed; `nil` for the one that is different for each visitor.
    private static func path(of scope: VideoQuery.Scope, _ heading: String) -> String? {
        switch scope {
        case .all, .competition: VideoPath.list
        case .member: VideoPath.member(heading)
        case .feed: nil
        }
    }
}
