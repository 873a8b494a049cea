import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import SiteTexts
import Workflows

/// The context that the endpoints of the community share.
struct CommunityContext: Sendable {
    let viewing: VideoViewing
    let publicAddress: PublicAddress?
    /// `nil` if the server sends no mail.
    let mailer: (any AccountMailer)?

    var community: Community { viewing.community }

    /// Sends a mail in the language of a request.
    func send(_ mail: AccountMail, _ request: Request) {
        mailer?.send(mail, in: .preferred(request.headers[.acceptLanguage]))
    }

    /// The video that a path names, for somebody who may watch it.
    ///
    /// - Throws: `ProblemDetails` with 404 for all others.
    func video(_ caller: GatewayRequestContext) async throws -> Video { try await viewing.video(caller) }

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

    /// The JSON of a video.
    ///
    /// - Parameter item: what moderators and the owner know of its reports; `nil` for others, and if it has none.
    func resource(_ video: Video, item: ModeratedItem? = nil) -> JSONText {
        let folder = viewing.folder(of: video)
        func address(_ file: String) -> String? {
            folder.map { publicAddress?.url("\($0)/\(file)") ?? "\($0)/\(file)" }
        }
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
            ("liked", .boolean(video.isLiked)), ("playlist", .optional(address("playlist.m3u8"))),
            ("poster", .optional(video.hasPoster ? address("poster.jpg") : nil)),
            ("page", .string(ResourcePaths.page(ofVideo: video.id))),
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
