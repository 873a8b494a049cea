import Accounts
package import Community
package import HTTPEndpoints
import SiteTexts
package import Workflows

/// The pages of the community.
package struct CommunityPages: Sendable {
    /// The links to the pages on the page of an account.
    package static let links = [
        AccountPageLink(path: VideoPath.upload, need: nil) { UploadText.of($0).own },
        AccountPageLink(path: VideoPath.feed, need: nil) { VideoPageText.of($0).feed },
        AccountPageLink(path: ResourcePaths.moderation, need: (.moderate, .reports)) {
            VideoPageText.of($0).moderation
        },
    ]

    package let endpoints: [Endpoint]

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - community: what members do together.
    ///   - images: receives the images of competitions.
    ///   - maps: receives their maps.
    ///   - library: makes the images of banners.
    package init(
        pages: AccountPages, community: Community, images: CompetitionImageUpload, maps: CompetitionMapUpload,
        library: any LibraryOperations
    ) {
        endpoints =
            CompetitionPages(community: community, publicAddress: pages.publicAddress).endpoints
            + CompetitionForms(pages: pages, community: community, images: images).endpoints
            + CommunityBanners(community: community, library: library).endpoints
            + CompetitionMapForms(pages: pages, community: community, maps: maps).endpoints
    }
}
