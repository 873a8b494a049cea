import Broadcaster
import Synchronization
import Testing

@Suite struct ConfigurationDialogueTests {
    private final class Answers: Prompting, Sendable {
        private struct State {
            var answers: [String]
            var said: [String] = []
            var questions: [String] = []
        }

        private let state: Mutex<State>
        var said: [String] { state.withLock { $0.said } }
        var questions: [String] { state.withLock { $0.questions } }

        init(_ answers: [String]) { state = Mutex(State(answers: answers)) }

        func ask(_ question: String, suggestion: String?, isSecret: Bool) -> String? {
            state.withLock { state in
                state.questions.append(question)
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
        }

        func say(_ text: String) { state.withLock { $0.said.append(text) } }
    }

    /// Nothing listens at port 1 of this machine.
    @Test func asksAgainAfterASlip() async throws {
        let prompt = Answers(["ftp://server", "127.0.0.1:1"])
        let error = await #expect(throws: BroadcastError.self) {
            try await ConfigurationDialogue(given: [:], prompt: prompt).run(BroadcastProfile())
        }
        #expect(prompt.questions.count == 3 && Set(prompt.questions).count == 1)
        #expect(prompt.said.first?.contains("\"ftp://server\" is not the web address of a server") == true)
        #expect(prompt.said.last?.contains("no server answers at http://127.0.0.1:1") == true)
        #expect(error?.reason == "no valid answer was given")
    }

    @Test func givesUpAfterAFewWrongAnswers() async throws {
        let prompt = Answers(Array(repeating: "ftp://server", count: 100))
        let error = await #expect(throws: BroadcastError.self) {
            try await ConfigurationDialogue(given: [:], prompt: prompt).run(BroadcastProfile())
        }
        #expect(prompt.questions.count == 5 && error?.code == .usage)
    }

    @Test func whatWasGivenIsNotAskedFor() async throws {
        let prompt = Answers(["x"])
        let error = await #expect(throws: BroadcastError.self) {
            try await ConfigurationDialogue(given: ["server": "http://127.0.0.1:1"], prompt: prompt)
                .run(BroadcastProfile())
        }
        #expect(prompt.questions.isEmpty && error?.code == .unreachable)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("localhost", "http://localhost"),
        (" media.example:80 ", "http://media.example:80"),
        ("https://media.example", "https://media.example"), ("[::1]:8080", "http://[::1]:8080"),
    ])
    func anAddressWithoutASchemeIsHTTP(text: String, expected: String) throws {
        var profile = BroadcastProfile()
        try profile.set("server", to: text)
        #expect(profile.server == expected)
    }
}
