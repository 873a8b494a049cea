import Catalogue
import HLSDelivery
import HTTPEndpoints
import JSONDocument

extension APIResources {
    /// The JSON of a title, with the state of its encryption.
    ///
    /// - Parameter keys: the keys of encrypted titles; `nil` if titles cannot be encrypted.
    static func title(_ title: TitleRecord, keys: TitleKeys?) -> JSONText {
        var title = title
        // The title is ready but cannot be played.
        if let problem = keys?.problem(ofTitle: title.id) { title.error = problem }
        return self.title(title, isEncrypted: keys?.isEncrypted(title: title.id))
    }

    /// The JSON of a title in a list: with what it costs and how it is rated.
    static func listed(_ title: JSONText, _ listing: TitleListing) -> JSONText {
        guard case .members(let members) = title else { return title }
        let votes: [JSONText.Field] = [
            ("count", .integer(Int(listing.voteCount))), ("average", .optional(listing.averageRating)),
        ]
        let fields: [JSONText.Field] = [
            ("price", .integer(Int(listing.price))), ("regularPrice", .optional(listing.regularPrice.map { Int($0) })),
            ("featured", .boolean(listing.isFeatured)), ("votes", .object(votes)),
        ]
        return .members(members + fields.map { JSONText.Member(name: $0.name, value: $0.value) })
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
