import Accounts
package import Community
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
package import MediaAccess
import MediaCore
package import VideoClub

/// The pages on which members publish videos and talk about them, and on which moderators decide. All of it works without
/// a script: each form leads back to a page, so that a reload repeats nothing.
package struct PublishedVideoPages: Sendable {
    let pages: AccountPages
    let content: any ContentSource
    let community: Community
    /// Signs the addresses of unlisted videos; `nil` for a server without any.
    let links: MediaLinks?
    /// Knows which titles have to be rented; `nil` if nothing is.
    let club: VideoClub?

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - content: the library.
    ///   - community: what members do together.
    ///   - links: signs the addresses of unlisted videos; `nil` for a server without any.
    ///   - club: knows which titles have to be rented; `nil` if nothing is.
    package init(
        pages: AccountPages, content: any ContentSource, community: Community, links: MediaLinks?, club: VideoClub?
    ) {
        (self.pages, self.content, self.community, self.links, self.club) = (pages, content, community, links, club)
    }

    /// The endpoints of all pages of the community.
    package var endpoints: [Endpoint] {
        VideoListPages(pages: self).endpoints + VideoPages(pages: self).endpoints
            + PublishingPages(pages: self).endpoints + ModerationPages(pages: self).endpoints
    }

    static let reading = AccessRule.filters(reason: "what the visitor may not watch is left out, and answers 404")
    static let taking = AccessRule.member(reason: "the community asks whose it is")

    func text(_ request: Request) -> VideoPageText { .preferred(request.headers[.acceptLanguage]) }

    static func isModerator(_ context: GatewayRequestContext) -> Bool { context.may(.moderate, .reports) }

    static func mayManage(_ context: GatewayRequestContext) -> Bool { context.may(.manage, .title()) }

    static func identifier(_ context: GatewayRequestContext, _ kind: String) throws -> OpaqueID {
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else {
            throw ProblemDetails(.notFound, "there is no such \(kind)")
        }
        return id
    }

    /// The video that a path names, for somebody who may watch it.
    ///
    /// - Throws: `ProblemDetails` with 404 for all others.
    func video(_ context: GatewayRequestContext) async throws -> Video {
        let id = try Self.identifier(context, "video")
        let video = try await community.video(id, for: context.caller, maySeeHidden: Self.isModerator(context))
        let isOwn = video.owner != nil && video.owner == context.principal.member?.id
        guard
            video.visibility == .unlisted || isOwn || Self.isModerator(context)
                || context.may(.read, context.identity.audiences.title(id: video.title))
        else { throw ProblemDetails(.notFound, "there is no such video") }
        return video
    }

    private static let signedTime = Duration.seconds(12 * 3_600)

    /// The folder under which a video plays; `nil` while it does not play on its page.
    func folder(of video: Video) -> String? {
        let folder = "/vod/\(video.title)"
        guard video.state == .shown else { return nil }
        guard video.visibility == .unlisted else { return folder }
        // A signature needs no rental.
        guard let links, !(club?.entitlements.needsRental(titleID: video.title) ?? false) else { return nil }
        return "/\(MediaLinks.folderName)/\(links.sign(folder, until: links.now + Self.signedTime).text)\(folder)"
    }

    /// What a list shows of a video.
    func card(_ video: Video, _ text: VideoPageText) -> [String: Any] {
        var values: [String: Any] = [
            "path": VideoPath.video(video.id), "name": SitePage.displayed(video.name),
            "owner": SitePage.displayed(video.ownerName ?? text.station),
            "counts": counts(video, text),
        ]
        if video.hasPoster, let folder = folder(of: video) { values["poster"] = "\(folder)/poster.jpg" }
        return values
    }

    func counts(_ video: Video, _ text: VideoPageText) -> String {
        "\(text.count(video.counts.likes, text.oneLike, text.likes)) · \(text.count(video.counts.comments, text.oneComment, text.comments))"
    }
}
