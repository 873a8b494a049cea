import AsyncHTTPClient
import IdentityProviders
import NIOCore
import NIOHTTP1

/// Sends the requests to identity providers over HTTP.
struct HTTPProviderTransport: ProviderTransport {
    private let client: HTTPClient

    /// Time for one answer; a visitor waits for it.
    private static let timeout = TimeAmount.seconds(8)

    /// - Parameter group: the event loops of the connections.
    init(group: any EventLoopGroup) {
        // A redirection could lead a code or a token elsewhere.
        client = HTTPClient(
            eventLoopGroup: group, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
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
        let response = try await client.execute(message, timeout: Self.timeout)
        let body = try await response.body.collect(upTo: ProviderResponse.maximumByteCount)
        return ProviderResponse(status: Int(response.status.code), body: Array(body.readableBytesView))
    }

    /// Closes the connections.
    func close() async { try? await client.shutdown() }
}
