import Accounts
import Community
import Foundation
import HTTPEndpoints
import JSONDocument
import MediaCore
import Notifications
import VideoClub
import Webhooks
import ZIPArchive

/// All that the server knows about a member, by area. What there is of each is limited, so that it is made in memory.
struct MemberExport: Sendable {
    let account: Account
    let madeAt: WallClockTime
    private let photo: AccountPhoto?
    private let videos: [MemberActivity.Publication]
    private let areas: [Area]

    /// A part of the export.
    private struct Area: Sendable {
        var name: String
        var content: JSONText
    }

    /// - Throws: `AccountsError` for somebody who has not logged in; `SQLError`.
    init(of caller: GatewayRequestContext, _ context: AccountsEndpoints) async throws {
        let accounts = try context.required()
        account = try await accounts.account(of: caller.caller)
        let sessions = try await accounts.sessions(of: caller.caller)
        let tokens = try await accounts.tokens(by: caller.caller)
        photo = try await accounts.photo(by: caller.caller)
        let webhooks = try await context.webhooks?.ownReceivers(of: caller.caller) ?? []
        let club = try await context.club?.memberRecords(of: account.id)
        let followed = try await context.community?.allFollowedCompetitions(of: account.id) ?? []
        let activity = try await context.community?.activity(of: account.id)
        let told = try await context.notifications?.allNotifications(of: account.id)
        let (now, username) = (accounts.now, account.username)
        madeAt = now
        videos = activity?.videos ?? []
        let rentals = club.map { club in
            club.rentals.map { APIResources.rental($0, at: club.readAt, playlist: nil) }
        }
        areas = [
            Area(name: "account", content: APIResources.account(account)),
            Area(
                name: "sessions",
                content: .array(
                    sessions.map { APIResources.session($0, isOwn: $0.id == caller.principal.session) })),
            Area(name: "tokens", content: .array(tokens.map { APIResources.token($0) })),
            Area(name: "webhooks", content: .array(webhooks.map { APIResources.webhook($0, owner: username) })),
            Area(name: "credits", content: .array(club?.movements.map(APIResources.movement) ?? [])),
            Area(name: "rentals", content: .array(rentals ?? [])),
            Area(name: "votes", content: .array(club?.votes.map(APIResources.vote) ?? [])),
            Area(
                name: "competitions", content: .array(followed.map { APIResources.followedCompetition($0, at: now) })),
            Area(name: "community", content: activity.map(APIResources.activity) ?? .null),
            Area(name: "notifications", content: .array(told?.notifications.map(APIResources.notification) ?? [])),
            Area(
                name: "notificationPreferences",
                content: told.map { APIResources.preferences($0.preferences) } ?? .null),
        ]
    }

    /// All of it as one document.
    var document: JSONText {
        let photo = JSONText.optional(photo.map { Data($0.jpeg).base64EncodedString() })
        return .object(areas.map { (name: $0.name, value: $0.content) } + [(name: "photo", value: photo)])
    }

    /// The text that says what is in the archive.
    ///
    /// - Parameters:
    ///   - text: the texts in the language of the member.
    ///   - files: the videos in it; `nil` for an archive without any.
    func introduction(_ text: MemberExportText, files: [MemberFiles.Entry]?) -> ArchiveFile {
        ArchiveFile(name: text.fileName) { Array(text.introduction(account.username, files: files).utf8) }
    }

    /// The files of the archive with what is known, each of which is made when its turn comes.
    ///
    /// - Parameters:
    ///   - text: the texts in the language of the member.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    func files(_ text: MemberExportText, _ publicAddress: PublicAddress?) -> [ArchiveFile] {
        var files = areas.map { area in
            ArchiveFile(name: "\(area.name).json") { Array("\(area.content.rendered)\n".utf8) }
        }
        files.append(
            ArchiveFile(name: "videos.json") {
                let list = videos.map { video in
                    let page = ResourcePaths.page(ofVideo: video.id)
                    return JSONText.object([
                        ("id", .string(video.id.text)), ("name", .string(video.name)),
                        ("publishedAt", APIResources.time(video.publishedAt)),
                        ("page", .string(publicAddress?.url(page) ?? page)),
                    ])
                }
                return Array("\(JSONText.array(list).rendered)\n".utf8)
            })
        if let photo { files.append(ArchiveFile(name: "photo.jpg") { photo.jpeg }) }
        return files
    }
}
