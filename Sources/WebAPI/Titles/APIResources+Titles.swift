import APIContract
import APIDeclarations
import Catalogue
import HLSDelivery
import HTTPEndpoints
import MediaCore

extension APIResources {
    /// The JSON of a title, with the state of its encryption.
    ///
    /// - Parameter keys: the keys of encrypted titles; `nil` if titles cannot be encrypted.
    static func title(_ title: TitleRecord, keys: TitleKeys?) -> APIObject<TitleFields> {
        var title = title
        // The title is ready but cannot be played.
        if let problem = keys?.problem(ofTitle: title.id) { title.error = problem }
        return self.title(title, encryption: keys.map { $0.method(ofTitle: title.id) })
    }

    /// The JSON of a title in a list: with what it costs and how it is rated.
    static func listed(_ title: APIObject<TitleFields>, _ listing: TitleListing) -> APIObject<ListedTitleFields> {
        let votes = ListedTitleVotesFields.object {
            [$0.count(Int(listing.voteCount)), $0.average(listing.averageRating)]
        }
        return ListedTitleFields.object { f in
            members(of: title) + [
                f.price(Int(listing.price)), f.regularPrice(listing.regularPrice.map { Int($0) }),
                f.featured(listing.isFeatured), f.votes(votes),
            ]
        }
    }

    /// The tag of a title, which changes with everything that the API says about it.
    ///
    /// - Parameters:
    ///   - title: the title's record.
    ///   - keys: the keys of encrypted titles; `nil` if titles cannot be encrypted.
    static func tag(of title: TitleRecord, keys: TitleKeys?) -> EntityTag {
        EntityTag(of: self.title(title, keys: keys))
    }

    /// Whether a title is still what somebody has seen, which is decided where it is changed.
    ///
    /// - Parameters:
    ///   - seen: the title as the API has shown it, with the progress of a job, which is in no record.
    ///   - match: the versions that the change is meant for.
    ///   - keys: the keys of encrypted titles; `nil` if titles cannot be encrypted.
    /// - Throws: `ProblemDetails` with 412 if the change is meant for other versions than `seen`.
    static func condition(
        _ seen: TitleRecord, _ match: IfMatch, keys: TitleKeys?
    ) throws -> RecordCondition<TitleRecord> {
        guard let version = try match.admitted(tag(of: seen, keys: keys).version) else { return { _ in true } }
        return { record in
            var record = record
            if !seen.state.isFinal, !record.state.isFinal {
                (record.state, record.progress) = (seen.state, seen.progress)
            }
            return tag(of: record, keys: keys).version == version
        }
    }
}
