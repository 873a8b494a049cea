import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Members' own profiles and activities, and the search for members and everything else.
struct MemberPages: Sendable {
    let pages: PublishedVideoPages

    /// Number of items of each kind on the page of all search results.
    private static let resultCount = 6
    private static let listParameter = "lista"
    private static let noticeParameter = "hecho"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, VideoPath.profile, PublishedVideoPages.taking) { request, context in
                let profile = try await pages.community.ownProfile(of: context.caller)
                let records = try await pages.community.ownRecords(of: context.caller).items
                let isSaved = PageRequest.value(of: Self.noticeParameter, in: request) != nil
                return try form(profile, records, isSaved: isSaved, request, context)
            },
            Endpoint(.post, VideoPath.profile, PublishedVideoPages.taking, handler: change),
            Endpoint(.get, VideoPath.activity, PublishedVideoPages.taking, handler: activities),
            Endpoint(.get, VideoPath.memberSearch, PublishedVideoPages.reading, handler: members),
            Endpoint(.get, VideoPath.search, PublishedVideoPages.reading, handler: search),
        ]
    }

    // MARK: The profile

    private static let (yes, no) = ("1", "0")

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let profile = OwnProfile(
            about: sent["about"] ?? "",
            visibility: sent["visibility"].flatMap(OwnProfile.Visibility.init(rawValue:)) ?? .members,
            showsFollows: sent["showsFollows"] == Self.yes, showsLikes: sent["showsLikes"] == Self.yes)
        do {
            _ = try await pages.community.changeProfile(by: context.caller) { $0 = profile }
            return pages.pages.redirect("\(VideoPath.profile)?\(Self.noticeParameter)=1")
        } catch let error as Refusal {
            return try form(profile, error: error, request, context)
        }
    }

    private func form(
        _ profile: OwnProfile, _ records: [ModerationRecord] = [], error: Refusal? = nil, isSaved: Bool = false,
        _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        let choice = [(Self.yes, text.yes), (Self.no, text.no)]
        func value(_ isOn: Bool) -> String { isOn ? Self.yes : Self.no }
        var section = PageSection()
        section.forms = [
            PageForm(
                action: VideoPath.profile,
                fields: [
                    .init(
                        name: "about", label: text.about, type: "textarea", value: profile.about,
                        error: error.map(text.sentence)),
                    .init(
                        name: "visibility", label: text.profileVisibility, type: "select",
                        value: profile.visibility.rawValue,
                        options: [
                            (OwnProfile.Visibility.everybody.rawValue, text.everybody),
                            (OwnProfile.Visibility.members.rawValue, text.membersOnly),
                        ]),
                    .init(
                        name: "showsFollows", label: text.showsFollows, type: "select",
                        value: value(profile.showsFollows), options: choice),
                    .init(
                        name: "showsLikes", label: text.showsLikes, type: "select", value: value(profile.showsLikes),
                        options: choice),
                ], button: text.save)
        ]
        if let name = context.principal.member?.username { section.links = [(VideoPath.member(name), name)] }
        return try pages.pages.answer(
            text.profile, [section] + Self.section(records, text, pages.pages.text(request)),
            error: error.map(text.sentence),
            notice: isSaved ? text.saved : nil, request,
            context, status: error.map { ProblemDetails($0).status } ?? .ok)
    }

    /// Moderators' messages to the member.
    private static func section(
        _ records: [ModerationRecord], _ text: VideoPageText, _ accountText: AccountText
    ) -> [PageSection] {
        guard !records.isEmpty else { return [] }
        var section = PageSection(heading: text.fromModerators)
        section.items = records.map { record in
            PageSection.Item(text: text.record(record), detail: accountText.ago(record.happenedAt))
        }
        return [section]
    }

    // MARK: Activities

    private func activities(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = pages.text(request)
        let list =
            PageRequest.value(of: Self.listParameter, in: request).flatMap(ActivityList.init(rawValue:)) ?? .news
        let wanted = try PageRequest(request)
        let found = try await pages.community.activities(
            list, of: context.caller, visible: context.visibleTitles, after: wanted.cursor, limit: wanted.limit)
        var section = PageSection(
            heading: Self.name(of: list, text), text: found.items.isEmpty ? text.nothingHappened : nil)
        section.items = found.items.map { activity in
            PageSection.Item(
                text: "\(activity.actor) \(Self.sentence(activity.kind, list, text))",
                detail: pages.pages.text(request).ago(activity.happenedAt),
                notes: activity.text.map { [$0] } ?? [], links: Self.links(activity))
        }
        section.links = ActivityList.allCases.filter { $0 != list }.map {
            ("\(VideoPath.activity)?\(Self.listParameter)=\($0.rawValue)", Self.name(of: $0, text))
        }
        if let next = found.next {
            section.button = (
                "\(VideoPath.activity)?\(Self.listParameter)=\(list.rawValue)&cursor=\(next)", text.more
            )
        }
        return try pages.pages.answer(text.activity, [section], request, context)
    }

    private static func links(_ activity: Activity) -> [(path: String, text: String)] {
        guard let video = activity.video, let name = activity.videoName else {
            return [(VideoPath.member(activity.actor), activity.actor)]
        }
        let anchor = activity.comment.map { "#c-\($0)" } ?? ""
        return [(VideoPath.video(video) + anchor, SitePage.displayed(name))]
    }

    private static func name(of list: ActivityList, _ text: VideoPageText) -> String {
        switch list {
        case .news: text.news
        case .followed: text.followedLikes
        case .own: text.ownLikes
        }
    }

    private static func sentence(_ kind: ActivityKind, _ list: ActivityList, _ text: VideoPageText) -> String {
        switch kind {
        case .follower: text.followsYou
        case .like: list == .news ? text.likesYours : text.likesThis
        case .comment: text.commented
        case .reply: text.replied
        }
    }

    // MARK: Search

    private func members(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = pages.text(request)
        let wanted = try PageRequest(request)
        let found = try await pages.community.findMembers(
            wanted.query ?? "", for: context.caller, after: wanted.cursor, limit: wanted.limit)
        let list = VideoPath.memberSearch + VideoPath.query(.all, wanted.query)
        var section = PageSection(text: found.items.isEmpty ? text.noMembers : nil)
        section.search = (wanted.query ?? "", text.searchMembers, text.searchButton)
        section.items = found.items.map { PeoplePages.item($0, returningTo: list, text, context) }
        if let next = found.next {
            let words = wanted.query.map { "q=\(SitePage.queryComponent($0))&" } ?? ""
            section.button = (
                "\(VideoPath.memberSearch)?\(words)cursor=\(SitePage.queryComponent(next))", text.more
            )
        }
        return try pages.pages.answer(text.members, [section], request, context)
    }

    /// The first videos, members and competitions that a text finds, with links to all of them.
    private func search(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = pages.text(request)
        let words = try PageRequest(request).query
        var first = PageSection()
        first.search = (words ?? "", text.searchEverything, text.searchButton)
        guard let words else { return try pages.pages.answer(text.searchButton, [first], request, context) }
        let community = pages.community
        let videos = try await community.videos(
            VideoQuery(matching: words, visible: context.visibleTitles), limit: Self.resultCount)
        let members = try await community.findMembers(words, for: context.caller, limit: Self.resultCount)
        let competitions =
            context.may(.read, .site)
            ? try await community.competitions(CompetitionFilter(text: words), limit: Self.resultCount).items : []
        let query = VideoPath.query(.all, words)
        func section(_ heading: String, _ items: [PageSection.Item], _ path: String) -> PageSection {
            var section = PageSection(heading: heading, text: items.isEmpty ? text.nothingFound : nil)
            section.items = items
            if !items.isEmpty { section.links = [(path + query, text.all)] }
            return section
        }
        return try pages.pages.answer(
            text.searchButton,
            [
                first,
                section(
                    text.videos,
                    videos.items.map { video in
                        PageSection.Item(
                            text: video.name, detail: PageText(pages.counts(video, text)),
                            links: [
                                (
                                    VideoPath.video(video.id),
                                    SitePage.displayed(PublishedVideoPages.author(of: video, text))
                                )
                            ])
                    }, VideoPath.list),
                section(
                    text.members,
                    members.items.map {
                        PeoplePages.item($0, returningTo: VideoPath.search + query, text, context)
                    }, VideoPath.memberSearch),
                section(
                    text.competitions,
                    competitions.map { competition in
                        PageSection.Item(
                            text: competition.name, detail: PageText(competition.schedule.firstDay.description),
                            links: [(CommunityPath.competition(competition.id), text.competition)])
                    }, CommunityPath.community),
            ], request, context)
    }
}
