import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import Workflows

/// The endpoint `PATCH /api/v1/titles/{id}`, which turns a title's encryption on or off.
struct TitleEncryptionEndpoint: Sendable {
    let content: any TitleContent
    /// The keys; `nil` if there is no folder for them.
    let keys: TitleKeys?

    /// Limit of a request's body; `{"encrypt": true}` is short.
    static let maximumBodyByteCount = 1_024

    var endpoint: Endpoint {
        Endpoint(TitleAPI.setTitleEncryption, .title(.manage)) { request, context in
            try await change(request, context)
        }
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (id, match) = (try context.parameters.require("id"), try IfMatch.required(in: request))
        let body = try await RequestBody.body(
            of: request, example: "{\"encrypt\": true}", maximumByteCount: Self.maximumBodyByteCount)
        guard let choice = body["encrypt"], choice.boolean != nil || choice.value == .null else {
            throw ProblemDetails(.badRequest, "\"encrypt\" must be true, false, or null (as channels.json says)")
        }
        guard let keys else {
            throw ProblemDetails(.conflict, "this server has no folder for keys, so it cannot encrypt")
        }
        guard let title = try await content.title(id: id) else {
            throw await content.missing(title: id, context)
        }
        let condition = try APIResources.condition(title, match, keys: keys)
        do {
            // While the title is held, nobody else changes its encryption or its record.
            let isChanged = try await content.holdingTitle(id: id) { [encrypts = choice.boolean] record in
                guard condition(record) else { return false }
                try keys.setEncrypted(encrypts, ofTitle: record.id)
                return true
            }
            guard let isChanged else { throw await content.missing(title: id, context) }
            guard isChanged else { throw IfMatch.changedMeanwhile }
        } catch let error as TitleKeyError {
            throw ProblemDetails(.internalServerError, error.description)
        }
        let state = EncryptionStateFields.object {
            [$0.id(title.id), $0.encrypt(keys.isEncrypted(title: title.id))]
        }
        return state.response().adding(.eTag, APIResources.tag(of: title, keys: keys).field)
    }
}
