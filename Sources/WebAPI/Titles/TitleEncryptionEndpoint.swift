import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import Workflows

/// The endpoint `PATCH /api/v1/titles/{id}`, which sets how a title is encrypted.
struct TitleEncryptionEndpoint: Sendable {
    let content: any TitleContent
    /// The keys; `nil` if there is no folder for them.
    let keys: TitleKeys?

    /// Limit of a request's body; `{"encryption": "cbcs"}` is short.
    static let maximumBodyByteCount = 1_024

    var endpoint: Endpoint {
        Endpoint(TitleAPI.setTitleEncryption, .title(.manage)) { request, context in
            try await change(request, context)
        }
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (id, match) = (try context.parameters.require("id"), try IfMatch.required(in: request))
        let body = try await RequestBody.body(
            of: request, example: "{\"encryption\": \"cbcs\"}", maximumByteCount: Self.maximumBodyByteCount)
        let setting = try Self.setting(body)
        guard let keys else {
            throw ProblemDetails(.conflict, "this server has no folder for keys, so it cannot encrypt")
        }
        guard let title = try await content.title(id: id) else {
            throw await content.missing(title: id, context)
        }
        let condition = try APIResources.condition(title, match, keys: keys)
        do {
            // While the title is held, nobody else changes its encryption or its record.
            let isChanged = try await content.holdingTitle(id: id) { record in
                guard condition(record) else { return false }
                try keys.set(setting, ofTitle: record.id)
                return true
            }
            guard let isChanged else { throw await content.missing(title: id, context) }
            guard isChanged else { throw IfMatch.changedMeanwhile }
        } catch let error as TitleKeyError {
            throw ProblemDetails(.internalServerError, error.description)
        }
        let state = EncryptionStateFields.object {
            [
                $0.id(title.id), $0.encrypt(keys.isEncrypted(title: title.id)),
                $0.encryption(EncryptionMethod.settingName(of: keys.method(ofTitle: title.id))),
            ]
        }
        return state.response().adding(.eTag, APIResources.tag(of: title, keys: keys).field)
    }

    /// The setting that a body asks for.
    private static func setting(_ body: JSONNode) throws -> TitleKeys.Setting {
        switch (body["encrypt"], body["encryption"]) {
        case (let choice?, nil) where choice.boolean == true: return .encrypted(.aes128)
        case (let choice?, nil) where choice.boolean == false: return .clear
        case (let choice?, nil) where choice.value == .null: return .byDefault
        case (nil, let choice?) where choice.value == .null: return .byDefault
        case (nil, let choice?):
            if choice.string == EncryptionMethod.noneName { return .clear }
            if let method = choice.string.flatMap({ EncryptionMethod(rawValue: $0) }) { return .encrypted(method) }
            let names = EncryptionMethod.settingNames.joined(separator: ", ")
            throw ProblemDetails(
                .badRequest, "\"encryption\" must be one of: \(names), or null (as channels.json says)")
        case (.some, nil):
            throw ProblemDetails(.badRequest, "\"encrypt\" must be true, false, or null (as channels.json says)")
        case (.some, .some), (nil, nil):
            throw ProblemDetails(.unprocessableContent, "the body must have either \"encryption\" or \"encrypt\"")
        }
    }
}
