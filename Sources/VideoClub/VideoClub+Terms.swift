package import Accounts
import Catalogue
import Database
import MediaCore

extension VideoClub {
    /// The terms of a title.
    ///
    /// - Parameter title: the ID of the title.
    /// - Throws: `Refusal` with `notFound`.
    package func terms(of title: String) async throws -> TitleTerms {
        try await database.read { db in
            try TermsRows.terms(of: try Self.title(title, db).number, db) ?? TitleTerms()
        }
    }

    /// The terms of several titles, by ID; those without terms of their own are left out.
    ///
    /// - Parameter titles: the IDs of at most `Catalogue.maximumPageSize` titles.
    package func terms(ofTitles titles: [String]) async throws -> [String: TitleTerms] {
        let titles = Array(titles.prefix(Catalogue.maximumPageSize))
        return try await database.read { db in try TermsRows.terms(ofTitles: titles, db) }
    }

    /// Changes the terms of a title. Rentals that were made before keep theirs.
    ///
    /// - Parameters:
    ///   - title: the ID of the title.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: who makes the change; whether they may is for the caller of this to ask.
    ///   - change: changes the terms; may run more than once.
    /// - Returns: the new terms.
    /// - Throws: `Refusal` with `notFound`, `invalidField` or `changedMeanwhile`.
    package func setTerms(
        of title: String, from revisions: Set<Int64>?, by caller: Caller,
        _ change: @escaping @Sendable (inout TitleTerms) -> Void
    ) async throws -> TitleTerms {
        let now = wallClock.now()
        let terms = try await database.write { db in
            let title = try Self.title(title, db)
            let old = try TermsRows.terms(of: title.number, db) ?? TitleTerms()
            guard revisions?.contains(old.revision) ?? true else {
                throw Refusal(
                    .changedMeanwhile, "the terms were changed meanwhile; read them again, and repeat your change")
            }
            var new = old
            change(&new)
            new.revision = old.revision + 1
            try new.check()
            try TermsRows.set(new, of: title.number, trailer: try Self.trailer(of: title, new, db), db)
            try Accounts.note(
                .termsChanged, by: caller, about: nil, before: "title \(title.id): \(old.text)",
                after: "title \(title.id): \(new.text)", at: now, db)
            return new
        }
        try await refresh()
        return terms
    }

    /// Checks terms as ``setTerms(of:from:by:_:)`` does, without setting them.
    ///
    /// - Parameters:
    ///   - terms: the new terms.
    ///   - title: the ID of the title.
    ///   - others: terms of other titles by ID, which count as if they had been set.
    /// - Throws: `Refusal` with `notFound` or `invalidField`.
    package func check(
        _ terms: TitleTerms, of title: String, assuming others: [String: TitleTerms] = [:]
    ) async throws {
        try terms.check()
        try await database.read { db in
            _ = try Self.trailer(of: try Self.title(title, db), terms, assuming: others, db)
        }
    }

    /// The row number of the trailer. A trailer plays without a rental, so it must not need one.
    ///
    /// - Parameter others: terms by ID that count instead of those in the database.
    /// - Throws: `Refusal` with `invalidField`.
    private static func trailer(
        of title: TitleRows.Reference, _ terms: TitleTerms, assuming others: [String: TitleTerms] = [:],
        _ db: any SQLConnection
    ) throws -> Int64? {
        if terms.needsRental, try isTrailer(title, assuming: others, db) {
            throw Refusal(
                .invalidField, "the title is the trailer of another one, so it can be watched without a rental",
                field: "price")
        }
        guard let id = terms.trailer else { return nil }
        guard let trailer = try TitleRows.title(id: id, db), trailer.number != title.number else {
            throw Refusal(.invalidField, "a trailer must be the ID of another title", field: "trailer")
        }
        let itsTerms = try others[id] ?? TermsRows.terms(of: trailer.number, db)
        guard itsTerms?.needsRental != true else {
            throw Refusal(
                .invalidField, "the title \(id) needs a rental, so it cannot be a trailer", field: "trailer")
        }
        return trailer.number
    }

    private static func isTrailer(
        _ title: TitleRows.Reference, assuming others: [String: TitleTerms], _ db: any SQLConnection
    ) throws -> Bool {
        if others.contains(where: { $0.key != title.id && $0.value.trailer == title.id }) { return true }
        // One of more titles than have other terms has those in the database.
        return try TermsRows.titles(withTrailer: title.number, limit: others.count + 1, db)
            .contains { others[$0] == nil }
    }
}

extension TitleTerms {
    /// The text of the audit log.
    fileprivate var text: String {
        let time = { (time: Duration?) in time.map { "\(Int64($0.seconds) / 60) min" } ?? "-" }
        return
            "price \(price), regular price \(regularPrice.map(String.init) ?? "-"), featured \(isFeatured), free rental \(asksForFreeRental), start \(time(timeToStart)), play \(time(timeToPlay)), trailer \(trailer ?? "-")"
    }
}
