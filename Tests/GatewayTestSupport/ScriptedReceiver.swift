package import JSONDocument
package import MediaCore
import Synchronization
package import TestSupport
package import Webhooks

/// A receiver that answers as a test says, and remembers what it was sent.
package final class ScriptedReceiver: WebhookSending {
    /// A message that has arrived.
    package struct Message: Sendable, Hashable {
        package var request: WebhookRequest
        package var time: WallClockTime

        package func field(_ name: String) -> String { request.fields.first { $0.name == name }?.value ?? "" }
        package var id: String { field("webhook-id") }
        package var data: JSONNode? { (try? JSONParser.parse(Array(request.body.utf8)))?["data"] }
        /// The subject and what else tells events of a test apart, such as `canalA 3`.
        package var text: String { "\(data?["channel"]?.string ?? "?") \(data?["n"]?.integer ?? -1)" }
        package var subject: String { data?["channel"]?.string ?? "?" }
    }

    private struct State {
        var answer: @Sendable (Message) -> WebhookOutcome = { _ in .answered(status: 204, retryAfter: nil) }
        var messages: [Message] = []
        var acknowledged: [Message] = []
    }

    private let clock: TestClock
    private let state = Mutex(State())

    package init(_ clock: TestClock) { self.clock = clock }

    /// All attempts.
    package var messages: [Message] { state.withLock(\.messages) }
    /// The messages that were answered with a status from 200 to 299.
    package var acknowledged: [Message] { state.withLock(\.acknowledged) }

    package func answer(_ answer: @escaping @Sendable (Message) -> WebhookOutcome) {
        state.withLock { $0.answer = answer }
    }
    package func answer(status: Int, retryAfter: Duration? = nil) {
        answer { _ in .answered(status: status, retryAfter: retryAfter) }
    }
    package func forget() { state.withLock { ($0.messages, $0.acknowledged) = ([], []) } }

    package func send(_ request: WebhookRequest) async -> WebhookOutcome {
        let message = Message(request: request, time: clock.time)
        return state.withLock { state in
            state.messages.append(message)
            let outcome = state.answer(message)
            if case .answered(200..<300, _) = outcome { state.acknowledged.append(message) }
            return outcome
        }
    }
}
