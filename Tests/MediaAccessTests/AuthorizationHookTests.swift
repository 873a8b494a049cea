import JSONDocument
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaAccess

@Suite(.timeLimit(.minutes(1)))
struct AuthorizationHookTests {
    private struct Away: Error {}

    private static func question(_ password: String = "right") -> HookQuestion {
        var question = HookQuestion(.read, .hls, path: "live/canalA.stream", address: "192.0.2.1")
        (question.user, question.password, question.userAgent) = ("ana", password, "VLC \"3\"")
        return question
    }

    /// A hook that was written for MediaMTX reads these fields.
    @Test func theBodyIsThatOfMediaMTX() throws {
        var question = Self.question()
        question.query = "a=1"
        let body = try JSONParser.parse(question.json(id: "s1").rendered.utf8)
        let expected = [
            "user": "ana", "password": "right", "token": "", "ip": "192.0.2.1", "action": "read",
            "path": "live/canalA.stream", "protocol": "hls", "id": "s1", "query": "a=1", "userAgent": "VLC \"3\"",
        ]
        #expect(Set(body.members?.map(\.name) ?? []) == Set(expected.keys))
        for (name, value) in expected { #expect(body[name]?.string == value, "\(name)") }
    }

    @Test func anAnswerHoldsForASession() async throws {
        let clock = TestClock()
        let asked = Mutex<[String]>([])
        let hook = AuthorizationHook(uptime: { clock.elapsed }) { question in
            asked.withLock { $0.append(question.password) }
            return question.password == "right"
        }
        for _ in 0..<10 {
            #expect(await hook.answer(Self.question()) == .allowed)
            #expect(await hook.answer(Self.question("wrong")) == .refused)
        }
        #expect(asked.withLock { $0 } == ["right", "wrong"])
        var other = Self.question()
        other.address = "192.0.2.2"
        _ = await hook.answer(other)
        #expect(asked.withLock { $0.count } == 3)
        clock.advance(by: AuthorizationHook.refusedTime)
        _ = await hook.answer(Self.question("wrong"))
        _ = await hook.answer(Self.question())
        #expect(asked.withLock { $0.last } == "wrong")
        clock.advance(by: AuthorizationHook.allowedTime)
        _ = await hook.answer(Self.question())
        #expect(asked.withLock { $0.last } == "right")
    }

    @Test func aHookThatIsAwayIsNoAnswer() async throws {
        let isAway = Mutex(true)
        let hook = AuthorizationHook { _ in
            if isAway.withLock({ $0 }) { throw Away() }
            return true
        }
        #expect(await hook.answer(Self.question()) == .unavailable)
        isAway.withLock { $0 = false }
        #expect(await hook.answer(Self.question()) == .allowed)
    }

    /// A thousand players that begin at once are one question, and a flood of guesses is not passed on.
    @Test func questionsAreLimited() async throws {
        struct State {
            var isOpen = false
            var questionCount = 0
            var peak = 0
        }
        let state = Mutex(State())
        let hook = AuthorizationHook { _ in
            state.withLock {
                $0.questionCount += 1
                $0.peak = max($0.peak, $0.questionCount)
            }
            while !state.withLock({ $0.isOpen }) { await Task.yield() }
            state.withLock { $0.questionCount -= 1 }
            return true
        }
        let answers = await withTaskGroup(of: AuthorizationHook.Answer.self) { group in
            for _ in 0..<1_000 { group.addTask { await hook.answer(Self.question()) } }
            for number in 0..<200 {
                group.addTask {
                    var question = Self.question("\(number)")
                    question.address = "192.0.2.\(number % 20)"
                    return await hook.answer(question)
                }
            }
            var answers: [AuthorizationHook.Answer] = []
            for await answer in group {
                answers.append(answer)
                // Of 201 different questions, at least so many are answered without waiting.
                if answers.count == 201 - AuthorizationHook.maximumQuestionCount { state.withLock { $0.isOpen = true } }
            }
            return answers
        }
        #expect(answers.count == 1_200 && answers.contains(.unavailable) && answers.contains(.allowed))
        #expect(state.withLock { $0.peak } <= AuthorizationHook.maximumQuestionCount)
    }

    /// A client that guesses passwords is refused before the limit of all is reached.
    @Test func oneAddressLeavesRoomForOthers() async throws {
        let isOpen = Mutex(false)
        let hook = AuthorizationHook { question in
            while question.user == "eve", !isOpen.withLock({ $0 }) { await Task.yield() }
            return true
        }
        await withTaskGroup(of: AuthorizationHook.Answer.self) { group in
            for number in 0..<100 {
                group.addTask {
                    var question = Self.question("\(number)")
                    (question.user, question.address) = ("eve", "198.51.100.1")
                    return await hook.answer(question)
                }
            }
            var count = 0
            for await answer in group {
                count += 1
                if count <= 100 - AuthorizationHook.maximumQuestionCountPerAddress { #expect(answer == .unavailable) }
                guard count == 100 - AuthorizationHook.maximumQuestionCountPerAddress else { continue }
                #expect(await hook.answer(Self.question()) == .allowed)
                isOpen.withLock { $0 = true }
            }
        }
    }

    @Test func longTextsAreRefused() async throws {
        let hook = AuthorizationHook { _ in true }
        let long = String(repeating: "a", count: HookQuestion.maximumTextByteCount + 1)
        #expect(await hook.answer(Self.question(long)) == .refused)
    }
}
