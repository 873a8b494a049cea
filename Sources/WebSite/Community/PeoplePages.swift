import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Lists of members: who follows a member, whom a member follows, and who likes a video. Members who have logged in can
/// follow each of them from there.
struct PeoplePages: Sendable {
    let pages: PublishedVideoPages

    private static let member = "\(VideoPath.members){name}"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(Self.member)/\(VideoPath.followers)", PublishedVideoPages.reading) { request, context in
                try await members(.followers, request, context)
            },
            Endpoint(.get, "\(Self.member)/\(VideoPath.followings)", PublishedVideoPages.reading) { request, context in
                try await members(.followings, request, context)
            },
            Endpoint(.get, "\(VideoPath.videos){id}/\(VideoPath.like)", PublishedVideoPages.reading, handler: likers),
        ]
    }

    private func members(
        _ side: Community.FollowSide, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (name, text) = (try context.parameters.require("name"), pages.text(request))
        let wanted = try PageRequest(request)
        let profile = try await pages.community.profile(
            of: name, for: context.caller, maySeeHidden: VideoViewing.isModerator(context))
        let found = try await pages.community.members(
            side, of: name, for: context.caller, after: wanted.cursor, limit: wanted.limit)
        let path = VideoPath.member(
            profile.username, side == .followers ? VideoPath.followers : VideoPath.followings)
        return try list(
            side == .followers ? text.followersOf : text.followingsOf, found, at: path,
            of: (VideoPath.member(profile.username), profile.username), request, context)
    }

    private func likers(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (video, text) = (try await pages.viewing.video(context), pages.text(request))
        let wanted = try PageRequest(request)
        let found = try await pages.community.likers(
            of: video.id, for: context.caller, maySeeHidden: VideoViewing.isModerator(context), after: wanted.cursor,
            limit: wanted.limit)
        return try list(
            text.likersOf, found, at: VideoPath.video(video.id, VideoPath.like),
            of: (VideoPath.video(video.id), video.name), request, context)
    }

    /// - Parameters:
    ///   - path: the address of the list, to which its buttons lead back.
    ///   - subject: the page of whom or what the list belongs to, and its name.
    private func list(
        _ heading: String, _ found: ListPage<ListedMember>, at path: String,
        of subject: (path: String, name: String), _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        var section = PageSection(text: found.items.isEmpty ? text.nobodyHere : nil)
        section.items = found.items.map { Self.item($0, returningTo: path, text, context) }
        section.links = [(subject.path, SitePage.displayed(subject.name))]
        if let next = found.next { section.button = ("\(path)?cursor=\(SitePage.queryComponent(next))", text.more) }
        return try pages.pages.answer(heading, [section], request, context)
    }

    /// A member in a list, with the button to follow for those who have logged in.
    ///
    /// - Parameter list: the address of the list, to which the button leads back.
    static func item(
        _ member: ListedMember, returningTo list: String, _ text: VideoPageText, _ context: GatewayRequestContext
    ) -> PageSection.Item {
        var item = PageSection.Item(
            text: member.username, path: VideoPath.member(member.username))
        // Photos are for members.
        let photo = ResourcePaths.photo(ofMember: member.username, member.photo)
        item.member = (member.username, context.principal.member == nil ? nil : photo)
        if context.principal.member != nil, let isFollowed = member.isFollowed {
            item.forms = [
                VideoListPages.followForm(member.username, isFollowed: isFollowed, returningTo: list, text)
            ]
        }
        return item
    }
}
