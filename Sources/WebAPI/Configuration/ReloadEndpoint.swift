import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import Workflows

/// `POST /api/v1/reload`: reads `channels.json` again.
struct ReloadEndpoint: Sendable {
    /// Reloads the channels; `nil` if the server has no `channels.json`.
    let reloader: (any ChannelsReloading)?

    var endpoint: Endpoint {
        Endpoint(ConfigurationAPI.reloadConfiguration, .needs(.manage, .system)) { _, _ in try await reload() }
    }

    private func reload() async throws -> Response {
        guard let reloader else { throw ProblemDetails(.conflict, "this server has no channels.json") }
        do {
            return APIResources.reload(try await reloader.reload()).response()
        } catch let error as JSONFileError {
            throw ProblemDetails(
                .unprocessableContent, "\(error)\nNothing was changed; the server keeps its previous configuration.",
                issues: error.issues)
        } catch let error as ReloadError {
            throw ProblemDetails(.serviceUnavailable, error.description)
        }
    }
}
