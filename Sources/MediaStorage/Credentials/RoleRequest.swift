import AsyncHTTPClient
import Foundation
import MediaCore
import NIOCore
import NIOHTTP1
import OutgoingHTTP

/// A request to the service that hands out a role's credentials, which runs on the machine or next to it.
struct RoleRequest: Sendable {
    var url: String
    var method = HTTPMethod.GET
    var headers: [(name: String, value: String)] = []
    /// The service's name in errors.
    var service: String

    /// Limits the request and its answer.
    var exchange: BoundedExchange

    private static let connectTimeout = Duration.seconds(1)

    /// - Returns: The body of the answer; `nil` for 404.
    /// - Throws: ``MediaStorageError`` with `noCredentials`.
    func send() async throws -> ByteBuffer? {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(Self.connectTimeout), read: TimeAmount(exchange.timeLimit)))
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<ByteBuffer?, any Error>
        do {
            result = .success(try await send(by: client))
        } catch {
            result = .failure(error)
        }
        try? await client.shutdown()
        do {
            return try result.get()
        } catch let error where error is MediaStorageError || error is CancellationError {
            throw error
        } catch {
            throw failure("does not answer (\(error))")
        }
    }

    private func send(by client: HTTPClient) async throws -> ByteBuffer? {
        var request = HTTPClientRequest(url: url)
        request.method = method
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        let answer = try await exchange.answer(to: request, by: client)
        switch answer.status.code {
        case 200: return answer.body
        case 404: return nil
        default: throw failure("answers with status \(answer.status.code)")
        }
    }

    private func failure(_ reason: String) -> MediaStorageError {
        MediaStorageError(
            .noCredentials,
            """
            \(service) \(reason); to use other credentials, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write \
            them to ~/.aws/credentials
            """)
    }

    /// The credentials in an answer of ``send()``.
    ///
    /// - Throws: ``MediaStorageError`` with `noCredentials`.
    func credentials(in body: ByteBuffer) throws -> StoreCredentials {
        struct Answer: Decodable {
            var AccessKeyId: String
            var SecretAccessKey: String
            var Token: String?
            var Expiration: String?
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView)) else {
            throw failure("answers without credentials")
        }
        var expiration: WallClockTime?
        if let text = answer.Expiration {
            expiration = HTTPDate.time(ofTimestamp: text)
            guard expiration != nil else { throw failure("answers with an expiration that is not a time") }
        }
        return StoreCredentials(
            accessKeyID: answer.AccessKeyId, secretAccessKey: answer.SecretAccessKey, sessionToken: answer.Token,
            expiration: expiration)
    }
}
