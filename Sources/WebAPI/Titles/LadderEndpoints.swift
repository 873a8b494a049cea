import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import MediaCore
import MediaWorker
import Transcoding
import VODLibrary
import Workflows

/// The endpoints of `/api/v1/titles/{id}/transcode`, which encode and delete a title's ladder.
struct LadderEndpoints: Sendable {
    let content: any TitleContent
    let library: any LibraryLadders
    /// The presets of the current configuration, evaluated for each request.
    let presets: @Sendable () -> [QualityPreset]

    /// Limit of a request's body; a list of preset names is short.
    static let maximumBodyByteCount = 16 * 1024

    var endpoints: [Endpoint] {
        [
            Endpoint(TitleAPI.getTitleLadder, .title(.read)) { _, context in
                try await answer(context) { try await library.ladderStatus(ofTitle: $0) }
            },
            Endpoint(TitleAPI.makeTitleLadder, .title(.manage)) { request, context in
                try await makeLadder(request, context)
            },
            Endpoint(TitleAPI.deleteTitleLadder, .title(.manage)) { _, context in
                try await answer(context) { try await library.dropLadder(ofTitle: $0) }
            },
        ]
    }

    /// Limit of presets in a request; the same as for a channel.
    private static let maximumPresetCount = 64

    /// Queues the encoding of a ladder; the body is `{"presets": ["low", "medium"]}`.
    private func makeLadder(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await RequestBody.body(
            of: request, example: "{\"presets\": [\"low\"]}", maximumByteCount: Self.maximumBodyByteCount)
        let names = (body["presets"]?.elements ?? []).map(\.string)
        guard !names.isEmpty, names.count <= Self.maximumPresetCount, !names.contains(nil) else {
            throw ProblemDetails(
                .badRequest, "\"presets\" must be a list of 1 to \(Self.maximumPresetCount) preset names")
        }
        var chosen: [QualityPreset] = []
        for name in names.compactMap(\.self) {
            guard let preset = presets().first(where: { $0.name == name }) else {
                let known = presets().map(\.name).joined(separator: ", ")
                let shown = UntrustedText.escaped(name, maximumCharacterCount: 100)
                throw ProblemDetails(.unprocessableContent, "there is no preset \"\(shown)\"; there are: \(known)")
            }
            if !chosen.contains(preset) { chosen.append(preset) }
        }
        let wanted = chosen
        var response = try await answer(context) { try await library.makeLadder(ofTitle: $0, presets: wanted) }
        if response.status == .ok { response.status = .accepted }
        return response
    }

    private func answer(
        _ context: GatewayRequestContext, _ ask: (String) async throws -> LadderStatus?
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        do {
            guard let status = try await ask(id) else { throw await content.missing(title: id, context) }
            return APIResources.ladder(status).response()
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        } catch let error as WorkerFailure {
            throw ProblemDetails(.unprocessableContent, error.description)
        }
    }
}
