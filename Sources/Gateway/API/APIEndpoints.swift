import Catalogue
import HTTPTypes
import Hummingbird
import LiveChannels
import VODLibrary
import NIOCore

/// `/api/v1/…`
struct APIEndpoints: Sendable {
    let content: any ContentSource
    let presets: [QualityPreset]
    let about: AboutPage

    /// `{"path": …}` is short.
    static let maximumBodyByteCount = 16 * 1024

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v1/channels") { _, _ in try channels() },
            Endpoint(.get, "/api/v1/channels/{name}") { _, context in try channel(context) },
            Endpoint(.post, "/api/v1/channels/{name}/recording") { request, context in
                try await setRecording(request, context)
            },
            Endpoint(.post, "/api/v1/channels/{name}/clips") { request, context in
                try await makeClip(request, context)
            },
            Endpoint(.get, "/api/v1/titles") { request, _ in try await titles(request) },
            Endpoint(.post, "/api/v1/titles") { request, context in try await ingest(request, context) },
            Endpoint(.get, "/api/v1/titles/{id}") { _, context in try await title(context) },
            Endpoint(.get, "/api/v1/tracks") { request, _ in try await tracks(request) },
            Endpoint(.get, "/api/v1/tracks/{id}") { _, context in try await track(context) },
            Endpoint(.get, "/api/v1/presets") { _, _ in
                APIResources.page(presets.map(APIResources.preset)).response()
            },
            Endpoint(.get, "/api/v1/jobs") { request, _ in try await jobs(request) },
            Endpoint(.get, "/api/v1/about") { _, _ in try await about.numbers().json.response() },
            Endpoint(.get, "/api/v1/openapi.json") { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "max-age=300"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: OpenAPIDocument.text)))
            },
        ] + ladderEndpoints
    }

    // MARK: Channels

    private func channels() throws -> Response {
        APIResources.page(try content.channels().map(JSONText.encoded)).response()
    }

    private func channel(_ context: GatewayRequestContext) throws -> Response {
        let name = try context.parameters.require("name")
        guard let status = content.channel(named: name) else {
            let names = content.channels().map(\.name).joined(separator: ", ")
            throw ProblemDetails(.notFound, "there is no channel of this name; there are: \(names)")
        }
        return try JSONText.encoded(status).response()
    }

    // MARK: Titles and tracks

    private func titles(_ request: Request) async throws -> Response {
        let page = try PageRequest(request)
        let titles = try await content.titles(matching: page.query, after: page.cursor, limit: page.limit)
        return APIResources.page(titles.items.map(APIResources.title), next: titles.next).response()
    }

    private func title(_ context: GatewayRequestContext) async throws -> Response {
        guard let title = try await content.title(id: try context.parameters.require("id")) else {
            throw ProblemDetails(.notFound, "there is no title with this id")
        }
        return APIResources.title(title).response()
    }

    private func tracks(_ request: Request) async throws -> Response {
        let page = try PageRequest(request)
        let tracks = try await content.tracks(matching: page.query, after: page.cursor, limit: page.limit)
        return APIResources.page(tracks.items.map(APIResources.track), next: tracks.next).response()
    }

    private func track(_ context: GatewayRequestContext) async throws -> Response {
        guard let track = try await content.track(id: try context.parameters.require("id")) else {
            throw ProblemDetails(.notFound, "there is no track with this id")
        }
        return APIResources.track(track).response()
    }

    // MARK: Ingest

    /// Opens files of this machine by path, so only its own people may ask.
    private func ingest(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await OperatorRequest.body(
            of: request, context, action: "files are ingested by path", example: "{\"path\": …}",
            maximumByteCount: Self.maximumBodyByteCount)
        let path = body["path"]?.string ?? ""
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw ProblemDetails(.badRequest, "\"path\" must be an absolute path")
        }
        let item: IngestedItem
        do {
            item = try await content.ingest(path: path)
        } catch let error as any CustomStringConvertible & Error {
            throw ProblemDetails(.unprocessableContent, error.description)
        }
        switch item {
        case .title(let title):
            var response = APIResources.title(title).response(status: title.state == .ready ? .ok : .accepted)
            response.headers[.location] = "/api/v1/titles/\(title.id)"
            return response
        case .track(let track):
            var response = APIResources.track(track).response(status: .accepted)
            response.headers[.location] = "/api/v1/tracks/\(track.id)"
            return response
        }
    }

    /// What is being ingested or has failed; looked up in the catalogue, `limit` entries of it at a time.
    private func jobs(_ request: Request) async throws -> Response {
        let page = try PageRequest(request)
        // Titles first, then tracks; the cursor says in which of the two lists the next page begins.
        let cursor = page.cursor ?? ""
        if !cursor.hasPrefix("tracks:") {
            let after = cursor.isEmpty ? nil : String(cursor.dropFirst("titles:".count))
            let titles = try await content.titles(matching: page.query, after: after, limit: page.limit)
            let items = titles.items.filter { $0.state != .ready }.map(APIResources.job)
            return APIResources.page(items, next: titles.next.map { "titles:\($0)" } ?? "tracks:").response()
        }
        let after = cursor.dropFirst("tracks:".count)
        let tracks = try await content.tracks(
            matching: page.query, after: after.isEmpty ? nil : String(after), limit: page.limit)
        let items = tracks.items.filter { $0.state != .ready }.map(APIResources.job)
        return APIResources.page(items, next: tracks.next.map { "tracks:\($0)" }).response()
    }
}
