import Accounts
import Community
import HTTPEndpoints
import Hummingbird
import JSONDocument
import MediaAccess
import MediaCore
import VideoClub

/// What the endpoints of the community have in common.
struct CommunityContext: Sendable {
    /// `nil` for a server without one.
    let community: Community?
    /// Signs the addresses of unlisted videos; `nil` for a server without any.
    let links: MediaLinks?
    /// Knows which titles have to be rented; `nil` if nothing is.
    let club: VideoClub?
    let publicAddress: PublicAddress?

    /// - Throws: `ProblemDetails` with 404.
    func required() throws -> Community {
        guard let community else { throw ProblemDetails(.notFound, "this server has no community") }
        return community
    }

    /// The ID that a path names.
    ///
    /// - Parameters:
    ///   - kind: what it is the ID of, such as `competition`.
    ///   - parameter: the name of the path's parameter.
    static func identifier(
        _ caller: GatewayRequestContext, _ kind: String, parameter: String = "id"
    ) throws -> OpaqueID {
        guard let id = OpaqueID(parsing: try caller.parameters.require(parameter)) else {
            throw ProblemDetails(.notFound, "there is no such \(kind)")
        }
        return id
    }

    /// Whether somebody decides about what members have published.
    static func isModerator(_ caller: GatewayRequestContext) -> Bool { caller.may(.moderate, .reports) }

    /// The video that a path names, for somebody who may watch it.
    ///
    /// - Throws: `ProblemDetails` with 404 for all others.
    func video(_ caller: GatewayRequestContext) async throws -> Video {
        try await video(try Self.identifier(caller, "video"), caller)
    }

    /// A video for somebody who may watch it.
    ///
    /// - Throws: `ProblemDetails` with 404 for all others.
    func video(_ id: OpaqueID, _ caller: GatewayRequestContext) async throws -> Video {
        let video = try await required().video(id, for: caller.caller, maySeeHidden: Self.isModerator(caller))
        guard isSeen(video, caller) else { throw ProblemDetails(.notFound, "there is no such video") }
        return video
    }

    /// Whoever has the address of an unlisted video may see it; the audience of a public one is that of its title.
    private func isSeen(_ video: Video, _ caller: GatewayRequestContext) -> Bool {
        video.visibility == .unlisted || Self.isOwn(video, caller) || Self.isModerator(caller)
            || caller.may(.read, caller.identity.audiences.title(id: video.title))
    }

    static func isOwn(_ video: Video, _ caller: GatewayRequestContext) -> Bool {
        video.owner != nil && video.owner == caller.principal.member?.id
    }

    /// The video that a path names, for a member who may take part in what is said about it.
    ///
    /// - Throws: `ProblemDetails` with 401, 403 or 404.
    func commentable(_ caller: GatewayRequestContext) async throws -> Video {
        let video = try await video(caller)
        try Self.requireTakingPart(caller)
        return video
    }

    /// - Throws: `ProblemDetails` with 401 or 403 for somebody who may not comment, such as a token for something else.
    static func requireTakingPart(_ caller: GatewayRequestContext) throws { try caller.require(.comment, .title()) }

    /// The time for which the address of an unlisted video plays.
    private static let signedTime = Duration.seconds(12 * 3_600)

    /// Where a video plays, and its poster; both `nil` while only its title's own address would do, which is kept from
    /// everybody.
    func addresses(of video: Video) -> (playlist: String?, poster: String?) {
        let folder = "/vod/\(video.title)"
        var path = folder
        if video.state == .hidden { return (nil, nil) }
        if video.visibility == .unlisted {
            // A signature needs no rental.
            guard let links, !(club?.entitlements.needsRental(titleID: video.title) ?? false) else { return (nil, nil) }
            let signature = links.sign(folder, until: links.now + Self.signedTime)
            path = "/\(MediaLinks.folderName)/\(signature.text)\(folder)"
        }
        func address(_ file: String) -> String { publicAddress?.url("\(path)/\(file)") ?? "\(path)/\(file)" }
        return (address("playlist.m3u8"), video.hasPoster ? address("poster.jpg") : nil)
    }

    /// The JSON of a video.
    ///
    /// - Parameter item: what moderators and the owner know of its reports; `nil` for others, and if it has none.
    func resource(_ video: Video, item: ModeratedItem? = nil) -> JSONText {
        let (playlist, poster) = addresses(of: video)
        return .object([
            ("id", .string(video.id.text)), ("title", .string(video.title)), ("name", .string(video.name)),
            ("text", .string(video.text)), ("tags", .array(video.tags.map(JSONText.string))),
            ("competition", .optional(video.competition?.text)),
            ("competitionName", .optional(video.competitionName)), ("day", .optional(video.day)),
            ("latitude", .optional(video.place?.latitude)), ("longitude", .optional(video.place?.longitude)),
            ("visibility", .string(video.visibility.rawValue)),
            ("commentPolicy", .string(video.commentPolicy.rawValue)), ("state", .string(video.state.rawValue)),
            ("owner", .optional(video.ownerName)), ("publishedAt", APIResources.time(video.publishedAt)),
            ("changedAt", APIResources.time(video.changedAt)), ("likes", .integer(Int(video.counts.likes))),
            ("comments", .integer(Int(video.counts.comments))), ("views", .integer(Int(video.counts.views))),
            ("liked", .boolean(video.isLiked)), ("playlist", .optional(playlist)), ("poster", .optional(poster)),
            ("page", .string("/comunidad/video/\(video.id)")),
            (
                "moderation",
                item.map {
                    .object([
                        ("reports", .integer(Int($0.reports))), ("decision", .optional($0.decision?.rawValue)),
                        ("note", .optional($0.decisionNote)), ("decidedAt", APIResources.time($0.decidedAt)),
                        ("appealedAt", APIResources.time($0.appealedAt)),
                    ])
                } ?? .null
            ),
        ])
    }
}
