package import Accounts
package import Community
package import HTTPEndpoints
import HTTPTypes
package import MediaAccess
import MediaCore
package import VideoClub
import Viewing

/// Published videos as API and site show them: who may watch which, where they play, and how moderators decide.
package struct VideoViewing: Sendable {
    package let community: Community
    /// Deletes the titles of videos that are deleted for good.
    private let library: any LibraryOperations
    /// Signs the addresses of unlisted videos; `nil` for a server without any.
    private let links: MediaLinks?
    /// Knows which titles have to be rented; `nil` if nothing is.
    private let club: VideoClub?
    /// Suspends accounts; `nil` for a server without any.
    private let accounts: Accounts?

    /// - Parameters:
    ///   - community: what members do together.
    ///   - library: deletes the titles of videos that are deleted for good.
    ///   - links: signs the addresses of unlisted videos; `nil` for a server without any.
    ///   - club: knows which titles have to be rented; `nil` if nothing is.
    ///   - accounts: suspends accounts; `nil` for a server without any.
    package init(
        _ community: Community, library: any LibraryOperations, links: MediaLinks?, club: VideoClub?,
        accounts: Accounts?
    ) {
        (self.community, self.library, self.links, self.club) = (community, library, links, club)
        self.accounts = accounts
    }

    /// Whether the caller moderates members' publications.
    package static func isModerator(_ caller: GatewayRequestContext) -> Bool { caller.may(.moderate, .reports) }

    /// Whether somebody may change the videos of others.
    package static func mayManage(_ caller: GatewayRequestContext) -> Bool { caller.may(.manage, .title()) }

    package static func isOwn(_ video: Video, _ caller: GatewayRequestContext) -> Bool {
        video.owner != nil && video.owner == caller.principal.member?.id
    }

    /// The video that a path names as `{id}`, for somebody who may watch it.
    ///
    /// - Throws: `ProblemDetails` with 404 for all others.
    package func video(_ caller: GatewayRequestContext) async throws -> Video {
        try await video(try caller.parameters.identifier(of: "video"), caller)
    }

    /// A video for somebody who may watch it: an unlisted one for everybody who has its ID, and a public one for the
    /// audience of its title.
    ///
    /// - Throws: `ProblemDetails` with 404 for all others.
    package func video(_ id: OpaqueID, _ caller: GatewayRequestContext) async throws -> Video {
        let isModerator = Self.isModerator(caller)
        let video = try await community.video(id, for: caller.caller, maySeeHidden: isModerator)
        guard
            video.visibility == .unlisted || isModerator || Self.isOwn(video, caller)
                || caller.may(.read, caller.identity.audiences.title(id: video.title))
        else { throw ProblemDetails(.notFound, "there is no such video") }
        return video
    }

    /// The folder under which a video plays; `nil` while only its title's own address would do, which is kept from
    /// everybody.
    package func folder(of video: Video) -> String? {
        let folder = "/vod/\(video.title)"
        guard video.state == .shown else { return nil }
        guard video.visibility == .unlisted else { return folder }
        // What this signature opens needs no rental.
        guard !(club?.entitlements.needsRental(titleID: video.title) ?? false) else { return nil }
        return previewFolder(ofTitle: video.title)
    }

    /// The signed folder under which a title plays that is kept from others, such as one that a member has sent; `nil`
    /// for a server that signs nothing. The folder plays until the title gets a price, for 12 hours at most.
    package func previewFolder(ofTitle id: String) -> String? {
        links.map { ViewingSignatures($0).folderWhileFree("/vod/\(id)") }
    }

    /// Decides about something that was reported; see `Community.decide`. The files of a video that is deleted for good
    /// go as well; its title is kept from everybody before. Titles of the station go with their videos only if the
    /// caller may manage titles.
    package func decide(
        _ decision: ModerationDecision, note: String, _ kind: ReportedKind, _ id: OpaqueID,
        by caller: GatewayRequestContext
    ) async throws {
        let title = try await community.decide(
            decision, note: note, kind, id, by: caller.caller, mayManage: Self.mayManage(caller))
        if let title { _ = try await library.deleteTitle(id: title) }
    }

    /// Suspends the account of the owner of something that was reported, for a moderator.
    ///
    /// - Parameters:
    ///   - kind: what was reported.
    ///   - id: its ID.
    ///   - time: the time after which the account can be used again by itself; `nil` for a suspension without end.
    ///   - note: what the owner is told.
    ///   - caller: a moderator.
    /// - Returns: the account.
    /// - Throws: `Refusal`, or `Refusal` as `Accounts.suspendMember` does.
    package func suspendOwner(
        of kind: ReportedKind, _ id: OpaqueID, for time: Duration?, note: String, by caller: Caller
    ) async throws -> Account {
        guard let accounts else { throw ProblemDetails(.notFound, "this server has no accounts") }
        try Community.check(note: note)
        let owner = try await community.owner(of: kind, id)
        let account = try await accounts.suspendMember(owner, for: time, by: caller)
        try await community.noteSuspension(kind, id, note, by: caller)
        return account
    }
}
