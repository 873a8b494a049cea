import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import VODLibrary
import Workflows

/// `/api/v1/media-store…`: the files of the library that lie in an object store. For operators.
struct MediaStoreEndpoints: Sendable {
    let library: any LibraryMediaStore
    /// Human-readable address of the media store, without credentials; `nil` if there is none.
    let address: String?

    /// Limit of a request's body in bytes.
    private static let maximumBodyByteCount = 8_192
    /// Files that one request compares; each of them is asked for.
    private static let maximumVerifiedCount = 100
    /// Files that one request reads completely.
    private static let maximumReadCount = 1

    var endpoints: [Endpoint] {
        [
            Endpoint(MediaStoreAPI.getMediaStore, .needs(.read, .system)) { _, _ in
                try response(await library.mediaStoreStatus())
            },
            Endpoint(MediaStoreAPI.moveMedia, .needs(.manage, .library)) { request, _ in
                try await move(request)
            },
            Endpoint(MediaStoreAPI.verifyMedia, .needs(.manage, .library)) { request, _ in
                try await verify(request)
            },
        ]
    }

    private static let withoutStore = ProblemDetails(
        .conflict, "this server has no media store; start it with --media-store")

    private func response(_ status: MediaStoreStatus?) throws -> Response {
        guard let status, let address else { throw Self.withoutStore }
        return APIResources.mediaStore(status, address: address).response()
    }

    private func move(_ request: Request) async throws -> Response {
        let body = try await RequestBody.body(
            of: request, example: "{\"to\": \"store\"}", maximumByteCount: Self.maximumBodyByteCount)
        guard let address else { throw Self.withoutStore }
        guard let text = body["to"]?.string else {
            throw ProblemDetails(.badRequest, "\"to\" must be \"store\", \"folder\" or the address of the media store")
        }
        guard let destination = text == address ? .store : MediaStoreStatus.Destination(rawValue: text) else {
            throw ProblemDetails(
                .conflict,
                """
                the server's media store is \(address); for another one, first move the files to \"folder\", then start \
                the server with --media-store and its address
                """)
        }
        return try response(await library.moveMedia(to: destination))
    }

    private func verify(_ request: Request) async throws -> Response {
        let body = try await RequestBody.body(
            of: request, example: "{\"readsContent\": false}", maximumByteCount: Self.maximumBodyByteCount)
        let readsContent = body["readsContent"]?.boolean ?? false
        let verification = try await library.verifyMedia(
            after: body["after"]?.string, limit: readsContent ? Self.maximumReadCount : Self.maximumVerifiedCount,
            readsContent: readsContent)
        guard let verification else { throw Self.withoutStore }
        return APIResources.mediaVerification(verification).response()
    }
}
