package import Community
package import HTTPEndpoints

/// The pages of the community.
package struct CommunityPages: Sendable {
    package let endpoints: [Endpoint]

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - community: what members do together.
    ///   - images: receives the images of competitions.
    ///   - maps: receives their maps.
    package init(
        pages: AccountPages, community: Community, images: CompetitionImageUpload, maps: CompetitionMapUpload
    ) {
        endpoints =
            CompetitionPages(community: community, publicAddress: pages.publicAddress).endpoints
            + CompetitionForms(pages: pages, community: community, images: images).endpoints
            + CompetitionMapForms(pages: pages, community: community, maps: maps).endpoints
    }
}
