package import Community
package import HTTPEndpoints
import Hummingbird
package import MediaAccess
import SiteTexts
package import VideoClub
package import Workflows

/// The pages on which members publish videos and talk about them, and on which moderators decide. All of it works
/// without a script: each form leads back to a page, so that a reload repeats nothing.
package struct PublishedVideoPages: Sendable {
    let pages: AccountPages
    let content: any ContentSource
    let viewing: VideoViewing
    let uploads: MemberUploads
    var community: Community { viewing.community }

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - content: the library.
    ///   - community: what members do together.
    ///   - uploads: what members send.
    ///   - links: signs the addresses of unlisted videos; `nil` for a server without any.
    ///   - club: knows which titles have to be rented; `nil` if nothing is.
    package init(
        pages: AccountPages, content: any ContentSource, community: Community, uploads: MemberUploads,
        links: MediaLinks?, club: VideoClub?
    ) {
        (self.pages, self.content, self.uploads) = (pages, content, uploads)
        viewing = VideoViewing(community, library: content.library, links: links, club: club, accounts: pages.accounts)
    }

    /// The endpoints of all pages of the community.
    package var endpoints: [Endpoint] {
        var endpoints = VideoListPages(pages: self).endpoints + VideoPages(pages: self).endpoints
        endpoints += MemberPages(pages: self).endpoints + PeoplePages(pages: self).endpoints
        endpoints += FeedPages(pages: self).endpoints + EmbeddingPages(pages: self).endpoints
        endpoints += PublishingPages(pages: self).endpoints + ModerationPages(pages: self).endpoints
        return endpoints + UploadPages(pages: self, uploads: uploads).endpoints
    }

    static let reading = AccessRule.filters(reason: "what the visitor may not watch is left out, and answers 404")
    static let taking = AccessRule.member(.session, reason: "the community asks whose it is")

    func text(_ request: Request) -> VideoPageText { .preferred(request.headers[.acceptLanguage]) }

    /// The address of a path, for other sites and programs.
    func url(_ path: String, _ page: SitePage) -> String { page.url(path, pages.publicAddress) }

    /// The name that pages show for the owner of a video.
    static func author(of video: Video, _ text: VideoPageText) -> String {
        video.ownerName ?? (video.owner == nil ? text.station : text.hiddenMember)
    }

    /// The card of a video in a list.
    func card(_ video: Video, _ text: VideoPageText) -> [String: Any] {
        var values = SitePage.placeholder(video.name)
        values.merge([
            "path": VideoPath.video(video.id), "name": SitePage.displayed(video.name),
            "owner": SitePage.displayed(Self.author(of: video, text)),
            "counts": counts(video, text),
        ]) { $1 }
        if video.hasPoster, let folder = viewing.folder(of: video) { values["poster"] = "\(folder)/poster.jpg" }
        return values
    }

    func counts(_ video: Video, _ text: VideoPageText) -> String {
        [
            text.views(video.counts.views),
            text.likes(video.counts.likes),
            text.comments(video.counts.comments),
        ].joined(separator: " · ")
    }
}
