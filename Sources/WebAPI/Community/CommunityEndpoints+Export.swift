import APIContract
package import Accounts
package import Community
import HTTPEndpoints
import JSONDocument
import MediaCore
import Workflows

extension CommunityEndpoints {
    /// The community's data about a member.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let community = context.community
        let followed = try await community.allFollowedCompetitions(of: member.account.id)
        let activity = try await community.activity(of: member.account.id)
        let competitions = followed.map { APIResources.followedCompetition($0, at: member.madeAt).json }
        return [
            ExportChapter(
                [.both(name: "competitions", .array(competitions))], text: "competitions"),
            ExportChapter(
                [.both(name: "community", APIResources.activity(activity).json)], text: "community"),
            ExportChapter(
                [.file(name: "videos", .array(activity.videos.map(published)))], text: "videos"),
        ]
    }

    private func published(_ video: MemberActivity.Publication) -> JSONText {
        let page = ResourcePaths.page(ofVideo: video.id)
        return .object([
            ("id", .string(video.id.text)), ("name", .string(video.name)),
            ("publishedAt", APIResources.time(video.publishedAt).json),
            ("page", .string(context.publicAddress?.url(page) ?? page)),
        ])
    }

    /// The uploads of a member, for the files in the archive with the member's data.
    package func uploads(of caller: Caller) async throws -> [MemberUpload] {
        var (uploads, cursor): ([MemberUpload], String?) = ([], nil)
        repeat {
            let page = try await context.community.uploads(by: caller, after: cursor, limit: 100).page
            uploads += page.items
            cursor = page.next
        } while cursor != nil && uploads.count < MemberFiles.maximumCount
        return uploads
    }
}
