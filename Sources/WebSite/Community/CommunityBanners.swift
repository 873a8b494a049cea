import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import Workflows

/// The operator's banners on the public pages of the community. The server sends their images itself, so that no other
/// one is asked before somebody follows a link.
struct CommunityBanners: Sendable {
    let community: Community
    let library: any LibraryOperations

    private static let path = "\(CommunityPath.community)/banner/"
    /// A file may be replaced, and is then shown within minutes.
    private static let cacheControl = "public, max-age=300"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(Self.path){id}", .needs(.read, .site)) { request, context in
                let id = try context.parameters.require("id")
                guard let banner = community.settings.banners.first(where: { Self.id(of: $0) == id }),
                    let image = try await library.banner(ofFile: banner.image)
                else { throw ProblemDetails(.notFound, "there is no such banner, or its file is not an image") }
                return .conditional(
                    image, type: "image/jpeg", tag: EntityTag(of: image), cacheControl: Self.cacheControl, for: request)
            }.forPrograms
        ]
    }

    /// The ID of a banner in addresses: visitors do not learn the path of its file.
    private static func id(of banner: CommunityBanner) -> String { ResourcePaths.imageVersion(banner.image) }

    /// The values of the layout, by place; empty without banners.
    static func values(_ community: Community) -> [String: Any] {
        let banners = Dictionary(grouping: community.settings.banners, by: \.place)
        var values: [String: Any] = [:]
        for (place, banners) in banners {
            values["\(place.rawValue)Banners"] = [
                "banners": banners.map { banner in
                    [
                        "link": SitePage.displayed(banner.link), "image": path + id(of: banner),
                        "text": SitePage.displayed(banner.text),
                    ]
                }
            ]
        }
        return values
    }
}
