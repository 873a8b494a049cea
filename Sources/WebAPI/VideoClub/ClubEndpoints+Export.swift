import APIContract
import Accounts
import VideoClub

extension ClubEndpoints {
    /// The video club's data about a member.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let records = try await club.memberRecords(of: member.account.id)
        let rentals = records.rentals.map { APIResources.rental($0, at: records.readAt, playlist: nil) }
        return [
            ExportChapter(
                [
                    .both(name: "credits", records.movements.map(APIResources.movement).json),
                    .both(name: "rentals", rentals.json),
                    .both(name: "votes", records.votes.map(APIResources.vote).json),
                ], text: "club")
        ]
    }
}
