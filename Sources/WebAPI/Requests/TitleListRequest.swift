import Catalogue
import HTTPEndpoints
import Hummingbird
import LibraryDetails
import MediaCore
import VideoClub

/// A request for a list of titles: the library with everything in it, or playable titles, by section, genre, price and
/// rating.
enum TitleListRequest {
    case library(RecordQuery)
    case shelf(ShelfQuery)

    /// The values of `sort`.
    private enum Order: String, CaseIterable {
        case title, newest, duration
        case longest = "-duration"
        case price, rating, relevance
    }

    /// The values of `kind`: those of `TitleKind`, and all of them.
    private enum Kind: String, CaseIterable {
        case film, trailer, recording
        case memberVideo = "member-video"
        case all

        /// `nil` for all.
        var ofTitles: TitleKind? { TitleKind(rawValue: rawValue) }
    }

    /// - Parameters:
    ///   - request: the request.
    ///   - page: its page.
    ///   - visible: which titles the sender may be shown; `nil` for all.
    ///   - newSince: titles that were added since then are new.
    /// - Throws: `ProblemDetails` with status 400 if a parameter is not valid, and 422 if two do not go together.
    init(_ request: Request, _ page: PageRequest, visible: RecordVisibility?, newSince: WallClockTime) throws {
        let section: TitleSection? = try PageRequest.choice("section", in: request)
        let order: Order? = try PageRequest.choice("sort", in: request)
        let state: TitleState? = try PageRequest.choice("state", in: request)
        let genre = PageRequest.value(of: "genre", in: request)
        if let genre, genre.isEmpty || genre.unicodeScalars.count > DetailField.maximumEntryLength {
            throw ProblemDetails(
                .badRequest, "\"genre\" has 1 to \(DetailField.maximumEntryLength) characters")
        }
        let kind = (try PageRequest.choice("kind", in: request) ?? Kind.film).ofTitles
        let shelfOrder = (order?.rawValue).flatMap(ShelfOrder.init(rawValue:))
        let isOfShelf = order.map { RecordOrder(rawValue: $0.rawValue) == nil } ?? false
        guard section != nil || genre != nil || isOfShelf else {
            let recordOrder = (order?.rawValue).flatMap(RecordOrder.init(rawValue:))
            self = .library(
                RecordQuery(
                    matching: page.query, order: recordOrder ?? .title, state: state, kind: kind, visible: visible))
            return
        }
        guard order == nil || shelfOrder != nil else {
            throw ProblemDetails(
                .unprocessableContent,
                "lists of a section or genre are not sorted by duration; `sort` can be newest, title, price, rating or relevance"
            )
        }
        guard state == nil || state == .ready else {
            throw ProblemDetails(
                .unprocessableContent,
                "lists with `section`, `genre`, or sorted by price, rating or relevance have titles that can be played; leave `state` out"
            )
        }
        guard let kind, kind == .film || (section == nil || section == .new) && genre == nil else {
            throw ProblemDetails(
                .unprocessableContent,
                "lists of a genre, or of a section other than `new`, have films; lists by price, rating or relevance have titles of one kind; change `kind`, or leave it out"
            )
        }
        self = .shelf(
            ShelfQuery(
                matching: page.query, kind: kind, section: section, genre: genre,
                order: shelfOrder ?? (page.query == nil ? .newest : .relevance), newSince: newSince, visible: visible))
    }
}
