import AsyncHTTPClient
import IdentityProviders
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends the requests to identity providers over HTTP.
final class HTTPProviderTransport: ProviderTransport {
    private struct State {
        /// Made with the first request: a server whose start fails has none to shut down.
        var client: HTTPClient?
        var isClosed = false
    }

    private struct Closed: Error, CustomStringConvertible {
        var description: String { "the server stops" }
    }

    private let group: any EventLoopGroup
    private let state = Mutex(State())

    /// Time for one answer; a visitor waits for it.
    private static let timeout = TimeAmount.seconds(8)

    /// - Parameter group: the event loops of the connections.
    init(group: any EventLoopGroup) { self.group = group }

    func send(_ request: ProviderRequest) async throws -> ProviderResponse {
        var message = HTTPClientRequest(url: request.url)
        message.headers.add(name: "Accept", value: "application/json")
        message.headers.add(name: "User-Agent", value: "Antena")
        if let authorization = request.authorization {
            message.headers.add(name: "Authorization", value: authorization)
        }
        if let form = request.form {
            message.method = .POST
            message.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            message.body = .bytes(ByteBuffer(string: form))
        }
        let response = try await client().execute(message, timeout: Self.timeout)
        let body = try await response.body.collect(upTo: ProviderResponse.maximumByteCount)
        return ProviderResponse(status: Int(response.status.code), body: Array(body.readableBytesView))
    }

    private func client() throws -> HTTPClient {
        try state.withLock { state in
            guard !state.isClosed else { throw Closed() }
            if let client = state.client { return client }
            // A redirection could lead a code or a token elsewhere.
            let client = HTTPClient(
                eventLoopGroup: group, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
            state.client = client
            return client
        }
    }

    /// Closes the connections; no request is sent any more.
    func close() async {
        let client = state.withLock { state -> HTTPClient? in
            state.isClosed = true
            defer { state.client = nil }
            return state.client
        }
        try? await client?.shutdown()
    }
}
