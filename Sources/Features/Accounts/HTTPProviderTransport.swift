import AsyncHTTPClient
import IdentityProviders
import NIOCore
import NIOHTTP1
import OutgoingHTTP
import Synchronization

/// Sends the requests to identity providers over HTTP.
final class HTTPProviderTransport: ProviderTransport {
    private struct State {
        /// Made with the first request: a server whose start fails has none to shut down.
        var client: HTTPClient?
        var isClosed = false
    }

    private struct Closed: Error, CustomStringConvertible {
        var description: String { "the server is shutting down" }
    }

    private let group: any EventLoopGroup
    private let state = Mutex(State())

    /// A visitor waits for the answer.
    private let exchange: BoundedExchange

    /// - Parameters:
    ///   - group: the event loops of the connections.
    ///   - timeLimit: time for one answer, up to its last byte.
    init(group: any EventLoopGroup, timeLimit: Duration = .seconds(8)) {
        self.group = group
        exchange = BoundedExchange(timeLimit: timeLimit, maximumByteCount: ProviderResponse.maximumByteCount)
    }

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
        let answer = try await exchange.answer(to: message, by: client())
        return ProviderResponse(status: Int(answer.status.code), body: Array(answer.body.readableBytesView))
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
