import APIContract
import AsyncHTTPClient
import Foundation
package import MediaCore
import NIOCore
import NIOHTTP1
import OutgoingHTTP
import Synchronization
package import Webhooks

/// Sends messages to receivers over HTTPS, and over HTTP if the operator allows private addresses. It follows no
/// redirects, and connects to addresses that imports may connect to.
package struct HTTPWebhookSender: WebhookSending {
    package let hosts: CheckedHosts
    var timeLimit: Duration
    private let wallClock: WallClock

    /// - Parameters:
    ///   - hosts: the hosts that messages may go to.
    ///   - timeLimit: the time after which a receiver has not answered.
    ///   - wallClock: tells how far away the date of a Retry-After field is.
    package init(
        hosts: CheckedHosts, timeLimit: Duration = WebhookRequest.timeLimit, wallClock: WallClock = .system
    ) {
        (self.hosts, self.timeLimit, self.wallClock) = (hosts, timeLimit, wallClock)
    }

    package func send(_ request: WebhookRequest) async -> WebhookOutcome {
        let answer = Answer()
        return await withTaskGroup(of: WebhookOutcome?.self) { group in
            group.addTask {
                do {
                    try await exchange(request, answer)
                    return nil
                } catch {
                    return .failed(reason: Self.reason(error))
                }
            }
            group.addTask {
                try? await Task.sleep(for: timeLimit)
                return .failed(reason: Self.silence)
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            // The status counts, whatever becomes of the rest of the answer.
            return answer.outcome.withLock { $0 } ?? first
                ?? .failed(reason: "the receiver closed the connection without an answer")
        }
    }

    private func exchange(_ request: WebhookRequest, _ answer: Answer) async throws {
        guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(),
            let host = url.host(percentEncoded: false), !host.isEmpty
        else { throw Refusal(description: "the address of the webhook is not valid") }
        guard scheme == "https" || (scheme == "http" && hosts.allowsPrivateAddresses) else {
            throw Refusal(
                description:
                    "the server only sends to https:// URLs; start it with --allow-private-imports to allow http://")
        }
        try await hosts.withClient(for: url, host: host, scheme: scheme, timeLimit: timeLimit) { client in
            try await exchange(client, request, answer)
        }
    }

    private func exchange(
        _ client: HTTPClient, _ request: WebhookRequest, _ answer: Answer
    ) async throws {
        var message = HTTPClientRequest(url: request.url)
        message.method = .POST
        message.headers.add(name: "User-Agent", value: "\(Product.name)/\(Product.version)")
        message.headers.add(name: "Content-Type", value: "application/json")
        for field in request.fields { message.headers.add(name: field.name, value: field.value) }
        message.body = .bytes(ByteBuffer(string: request.body))
        let exchange = BoundedExchange(
            timeLimit: timeLimit, maximumByteCount: WebhookRequest.maximumResponseByteCount)
        // The body is read, too: a receiver that is cut off in its answer may log that as an error.
        _ = try await exchange.answer(to: message, by: client) { status, headers in
            let outcome = WebhookOutcome.answered(status: Int(status.code), retryAfter: delay(headers))
            answer.outcome.withLock { $0 = outcome }
        }
    }

    /// The delay of a Retry-After field (RFC 9110 §10.2.3), in seconds or as a date; `nil` for none, for a date that
    /// has passed, and for anything else.
    private func delay(_ headers: HTTPHeaders) -> Duration? {
        guard let text = headers.first(name: "Retry-After") else { return nil }
        if let time = HTTPDate.time(ofHeader: text) {
            // A receiver whose clock is wrong is asked again at the usual time.
            let now = headers.first(name: "Date").flatMap(HTTPDate.time(ofHeader:)) ?? wallClock.now()
            return time > now ? time - now : nil
        }
        guard let seconds = Int64(digits: text[...]), seconds <= Self.maximumNamedDelay else { return nil }
        return .seconds(seconds)
    }

    /// Limit of the number in a Retry-After field, in seconds; it is shortened to an hour later.
    private static let maximumNamedDelay: Int64 = 365 * 86_400

    /// The answer, as soon as its header is there.
    private final class Answer: Sendable {
        let outcome = Mutex<WebhookOutcome?>(nil)
    }

    private struct Refusal: Error, CustomStringConvertible { var description: String }

    private static let silence =
        "the receiver has not answered for \(WebhookRequest.timeLimit.components.seconds) seconds"

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError
        where [.connectTimeout, .readTimeout, .deadlineExceeded].contains(error):
            silence
        // The exchange has the same limit, and either may end first.
        case is ExchangeTimeout: silence
        case is CancellationError: "the request was cancelled"
        default: "cannot send: \(error)"
        }
    }
}
