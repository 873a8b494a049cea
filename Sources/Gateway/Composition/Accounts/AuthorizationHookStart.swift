import AsyncHTTPClient
import Foundation
import JSONDocument
import Logging
import LogMetadata
import MediaAccess
import NIOCore
import NIOHTTP1
import OutgoingHTTP

/// Makes the hook that the operator has named.
enum AuthorizationHookStart {
    /// A viewer or a publisher waits for the status; nobody reads the rest.
    static let exchange = BoundedExchange(timeLimit: .seconds(5), maximumByteCount: 0)

    /// - Parameters:
    ///   - url: where questions are sent by POST; a status of 200 to 299 is a yes, one of 400 to 499 a no.
    ///   - logger: receives warnings about a hook that does not answer.
    ///   - exchange: limits a question and its answer.
    static func open(
        _ url: String, logger: Logger, exchange: BoundedExchange = exchange
    ) -> AuthorizationHook {
        AuthorizationHook { question in
            do {
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                request.headers.add(name: "Content-Type", value: "application/json")
                // Names the session in the hook's log; nothing follows from it.
                request.body = .bytes(ByteBuffer(string: question.json(id: UUID().uuidString).rendered))
                let status = try await exchange.status(of: request, by: .shared)
                switch status {
                case 200..<300: return true
                case 400..<500: return false
                default: throw NoAnswer(status: status)
                }
            } catch {
                logger.warning("authorization hook request failed", metadata: [.error: "\(error)"])
                throw error
            }
        }
    }

    private struct NoAnswer: Error, CustomStringConvertible {
        var status: Int
        var description: String { "status \(status)" }
    }
}
