import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
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
    func resource(_ video: Video, item: ModeratedItem? = nil) -> APIObject<VideoFields> {
        let folder = viewing.folder(of: video)
        func address(_ file: String) -> String? {
            folder.map { publicAddress?.url("\($0)/\(file)") ?? "\($0)/\(file)" }
        }
        return VideoFields.object { f in
            [
                f.id(video.id.text), f.title(video.title), f.name(video.name), f.text(video.text),
                f.tags(video.tags), f.competition(video.competition?.text),
                f.competitionName(video.competitionName), f.day(video.day), f.latitude(video.place?.latitude),
                f.longitude(video.place?.longitude), f.visibility(video.visibility.rawValue),
                f.commentPolicy(video.commentPolicy.rawValue), f.state(video.state.rawValue),
                f.owner(video.ownerName), f.publishedAt(APIResources.time(video.publishedAt)),
                f.changedAt(APIResources.time(video.changedAt)), f.likes(Int(video.counts.likes)),
                f.comments(Int(video.counts.comments)), f.views(Int(video.counts.views)), f.liked(video.isLiked),
                f.playlist(address("playlist.m3u8")), f.poster(video.hasPoster ? address("poster.jpg") : nil),
                f.page(ResourcePaths.page(ofVideo: video.id)), f.moderation(item.map(Self.moderation)),
            ]
        }
    }

    private static func moderation(_ item: ModeratedItem) -> APIObject<VideoModerationFields> {
        VideoModerationFields.object {
            [
                $0.reports(Int(item.reports)), $0.decision(item.decision?.rawValue), $0.note(item.decisionNote),
                $0.decidedAt(APIResources.time(item.decidedAt)),
                $0.appealedAt(APIResources.time(item.appealedAt)),
            ]
        }
    }
}
