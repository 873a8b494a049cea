import APIDeclarations
import Accounts
import Catalogue
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import MediaIntake
import NIOCore
import VODLibrary
import Workflows

/// The endpoints of `/api/v1/titles/{id}/poster`, which set a title's poster.
struct PosterEndpoints: Sendable {
    let content: any ContentSource
    /// The keys of encrypted titles; `nil` if titles cannot be encrypted.
    let titleKeys: TitleKeys?

    var endpoints: [Endpoint] {
        [
            Endpoint(TitleAPI.setTitlePoster, .title(.manage)) { request, context in
                let match = try IfMatch.required(in: request)
                let choice = try await PosterChoice(request, of: "title", from: .operators)
                return try await answer(context, match) {
                    try await choice.set(ofTitle: $0, in: content.library, from: .operators, if: $1)
                }
            },
            Endpoint(TitleAPI.resetTitlePoster, .title(.manage)) { request, context in
                try await answer(context, try IfMatch.required(in: request)) {
                    try await content.library.setPoster(ofTitle: $0, at: nil, from: .operators, if: $1)
                }
            },
        ]
    }

    /// Answers with the title; the status is 202 if the poster is made later, when the title is ready.
    private func answer(
        _ context: GatewayRequestContext, _ match: IfMatch,
        _ change: (String, @escaping RecordCondition<TitleRecord>) async throws -> TitleRecord?
    ) async throws -> Response {
        do {
            let id = try context.parameters.require("id")
            guard let old = try await content.title(id: id) else { throw await content.missing(title: id, context) }
            let condition = try APIResources.condition(old, match, keys: titleKeys)
            guard let title = try await change(id, condition) else {
                throw await content.missing(title: id, context)
            }
            return APIResources.title(title, keys: titleKeys)
                .taggedResponse(status: title.state == .ready ? .ok : .accepted)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
    }
}
