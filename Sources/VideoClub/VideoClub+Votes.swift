package import Accounts
import Catalogue
import Database
import MediaCore

extension VideoClub {
    /// The votes for a title, and the caller's own.
    ///
    /// - Parameters:
    ///   - title: the ID of the title.
    ///   - user: whose own rating is wanted; `nil` for nobody's.
    /// - Throws: `Refusal` with `notFound`.
    package func votes(for title: String, of user: UserID?) async throws -> (tally: VoteTally, own: Int?) {
        try await database.read { db in
            let title = try Self.title(title, db).number
            return (try VoteRows.tally(of: title, db), try user.flatMap { try VoteRows.rating(of: title, by: $0, db) })
        }
    }

    /// Votes for a title.
    ///
    /// - Parameters:
    ///   - rating: 1 to 10.
    ///   - title: the ID of the title.
    ///   - caller: the member; whether they may vote as members is for the caller of this to ask.
    /// - Returns: the votes with this one.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `invalidField`, `alreadyVoted` or `notARenter`.
    package func vote(_ rating: Int, for title: String, by caller: Caller) async throws -> VoteTally {
        let (member, now, settings) = (try Self.member(caller), wallClock.now(), settings)
        guard VoteTally.ratings.contains(rating) else {
            throw Refusal(.invalidField, "a rating is 1 to 10", field: "rating")
        }
        return try await database.write { db in
            let title = try Self.title(title, db).number
            if settings.voters == .renters, try RentalRows.last(of: member.id, title: title, db) == nil {
                throw Refusal(.notARenter, "only members who have rented the title can vote")
            }
            if !settings.votesMayChange, try VoteRows.rating(of: title, by: member.id, db) != nil {
                throw Refusal(.alreadyVoted, "you have already voted for the title")
            }
            try VoteRows.set(rating, of: title, by: member.id, at: now, db)
            let tally = try VoteRows.tally(of: title, db)
            try ListingRows.show(tally, of: title, db)
            return tally
        }
    }
}
