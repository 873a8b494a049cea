import JSONDocument
import MediaCore
import Synchronization
import TestSupport

@testable import Webhooks

/// A receiver that answers as a test says, and remembers what it was sent.
final class ScriptedReceiver: WebhookSending {
    /// A message that has arrived.
    struct Message: Sendable, Hashable {
        var request: WebhookRequest
        var time: WallClockTime

        func field(_ name: String) -> String { request.fields.first { $0.name == name }?.value ?? "" }
        var id: String { field("webhook-id") }
        var data: JSONNode? { (try? JSONParser.parse(Array(request.body.utf8)))?["data"] }
        /// The subject and what else tells events of a test apart, such as `canalA 3`.
        var text: String { "\(data?["channel"]?.string ?? "?") \(data?["n"]?.integer ?? -1)" }
        var subject: String { data?["channel"]?.string ?? "?" }
    }

    private struct State {
        var answer: @Sendable (Message) -> WebhookOutcome = { _ in .answered(status: 204, retryAfter: nil) }
        var messages: [Message] = []
        var acknowledged: [Message] = []
    }

    private let clock: TestClock
    private let state = Mutex(State())

    init(_ clock: TestClock) { self.clock = clock }

    /// All attempts.
    var messages: [Message] { state.withLock(\.messages) }
    /// The messages that were answered with a status from 200 to 299.
    var acknowledged: [Message] { state.withLock(\.acknowledged) }

    func answer(_ answer: @escaping @Sendable (Message) -> WebhookOutcome) { state.withLock { $0.answer = answer } }
    func answer(status: Int, retryAfter: Duration? = nil) {
        answer { _ in .answered(status: status, retryAfter: retryAfter) }
    }
    func forget() { state.withLock { ($0.messages, $0.acknowledged) = ([], []) } }

    func send(_ request: WebhookRequest) async -> WebhookOutcome {
        let message = Message(request: request, time: clock.time)
        return state.withLock { state in
            state.messages.append(message)
            let outcome = state.answer(message)
            if outcome.isSuccess { state.acknowledged.append(message) }
            return outcome
        }
    }
}
