package import Accounts
import Catalogue
import Database
import MediaCore

extension VideoClub {
    /// The offer of a title to a viewer.
    ///
    /// - Parameters:
    ///   - title: the ID of the title.
    ///   - user: who asks; `nil` for somebody without an account.
    /// - Throws: `Refusal` with `notFound`.
    package func offer(of title: String, to user: UserID?) async throws -> TitleOffer {
        try await database.read { db in
            let number = try Self.title(title, db).number
            return TitleOffer(
                terms: try TermsRows.terms(of: number, db) ?? TitleTerms(), tally: try VoteRows.tally(of: number, db),
                ownRating: try user.flatMap { try VoteRows.rating(of: number, by: $0, db) },
                rental: try user.flatMap { try RentalRows.last(of: $0, title: number, db) })
        }
    }

    /// The member with a username or e-mail address.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func user(named name: String) async throws -> UserID {
        try await database.read { db in
            guard let user = try? Accounts.userIDs(named: [name], db).first else {
                throw Refusal(.notFound, "there is no such account")
            }
            return user
        }
    }
}
