import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryDetails

/// The endpoints of `/api/v1/titles/{id}/details` and `/api/v1/tracks/{id}/details`: what people read about a title or
/// track, and where it comes from.
struct DetailEndpoints: Sendable {
    let content: any ContentSource

    /// Limit of a body, which has room for a description of the longest kind in any script.
    static let maximumBodyByteCount = 128 * 1_024

    var endpoints: [Endpoint] {
        let (title, track) = ("/api/v1/titles/{id}/details", "/api/v1/tracks/{id}/details")
        return [
            Endpoint(.get, title, .title(.manage)) { _, context in
                let id = try context.parameters.require("id")
                guard let found = try await content.library.details(ofTitle: id) else {
                    throw await content.missing(title: id, context)
                }
                return Self.answer(found.layers, DetailField.ofTitles)
            },
            Endpoint(.patch, title, .title(.manage)) { request, context in
                let id = try context.parameters.require("id")
                let wishes = try await Self.wishes(request, DetailField.ofTitles)
                guard let old = try await content.library.details(ofTitle: id) else {
                    throw await content.missing(title: id, context)
                }
                let version = try EntityTag.required(by: request, current: old.layers.version)
                let new = try await Self.refusingLateChanges {
                    try await content.library.chooseDetails(ofTitle: id, version: version) { wishes.apply(to: &$0) }
                }
                guard let new else { throw await content.missing(title: id, context) }
                return Self.answer(new.layers, DetailField.ofTitles)
            },
            Endpoint(.get, track, .track(.manage)) { _, context in
                let id = try context.parameters.require("id")
                guard let found = try await content.library.details(ofTrack: id) else {
                    throw await content.missing(track: id, context)
                }
                return Self.answer(found.layers, DetailField.ofTracks)
            },
            Endpoint(.patch, track, .track(.manage)) { request, context in
                let id = try context.parameters.require("id")
                let wishes = try await Self.wishes(request, DetailField.ofTracks)
                guard let old = try await content.library.details(ofTrack: id) else {
                    throw await content.missing(track: id, context)
                }
                let version = try EntityTag.required(by: request, current: old.layers.version)
                let new = try await Self.refusingLateChanges {
                    try await content.library.chooseDetails(ofTrack: id, version: version) { wishes.apply(to: &$0) }
                }
                guard let new else { throw await content.missing(track: id, context) }
                return Self.answer(new.layers, DetailField.ofTracks)
            },
        ]
    }

    private static func answer(_ layers: DetailLayers, _ fields: [DetailField]) -> Response {
        APIResources.details(layers, fields).response().adding(.eTag, EntityTag(layers.version).field)
    }

    /// The changes of a JSON merge patch (RFC 7396).
    private static func wishes(_ request: Request, _ fields: [DetailField]) async throws -> DetailWishes {
        let body = try await OperatorRequest.body(
            of: request, example: "{\"title\": \"Garden of life\", \"year\": null}",
            maximumByteCount: maximumBodyByteCount)
        guard let members = body.members else {
            throw ProblemDetails(.badRequest, "the body must be an object with the fields to change")
        }
        var wishes = DetailWishes()
        for member in members {
            guard let field = DetailField(rawValue: member.name), fields.contains(field) else {
                let known = fields.map(\.rawValue).joined(separator: ", ")
                throw ProblemDetails(
                    .unprocessableContent, "there is no field \"\(member.name)\"; there are \(known)")
            }
            do {
                wishes[field] = member.value.value == .null ? .reset : .set(try DetailValue(member.value, of: field))
            } catch {
                throw ProblemDetails(.unprocessableContent, error.description)
            }
        }
        return wishes
    }

    private static func refusingLateChanges<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as CatalogueError where error.code == .changedMeanwhile {
            throw EntityTag.changedMeanwhile
        }
    }
}
