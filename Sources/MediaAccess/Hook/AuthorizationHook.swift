import MediaCore

/// Asks a program of the operator who may watch and push.
///
/// An answer holds for some time, because a player asks for a playlist every second: a session is all requests that
/// show the same from the same address. As many are asked about at once as the hook is likely to bear; more are told to
/// come again.
package actor AuthorizationHook {
    /// The hook's answer.
    package enum Answer: Sendable, Hashable {
        case allowed, refused
        /// It does not answer, or there are too many questions.
        case unavailable
    }

    private struct Known {
        var isAllowed: Bool
        var end: Duration
    }

    /// The time for which a yes holds. Somebody whom the hook would refuse by now is out after that.
    package static let allowedTime = Duration.seconds(60)
    /// The time for which a no holds, so that a player that tries again and again costs little.
    package static let refusedTime = Duration.seconds(5)
    /// Answers that are kept. When there are more, all are forgotten.
    private static let maximumKnownCount = 10_000
    /// Questions on their way at once, in all and about one address, so that nobody's guesses keep others waiting.
    static let maximumQuestionCount = 64
    static let maximumQuestionCountPerAddress = 16

    private let ask: @Sendable (HookQuestion) async throws -> Bool
    private let uptime: @Sendable () -> Duration
    private var known: [HookQuestion.Digest: Known] = [:]
    private var questions: [HookQuestion.Digest: (address: String, answer: Task<Answer, Never>)] = [:]

    /// - Parameters:
    ///   - uptime: the time since some start; the system's if `nil`.
    ///   - ask: sends a question, and returns whether the answer is yes. It must not take longer than a few seconds.
    package init(
        uptime: (@Sendable () -> Duration)? = nil, ask: @escaping @Sendable (HookQuestion) async throws -> Bool
    ) {
        (self.uptime, self.ask) = (uptime ?? ContinuousClock().elapsed(), ask)
    }

    /// The answer to a question, the hook's own or one that still holds.
    package func answer(_ question: HookQuestion) async -> Answer {
        guard question.isShort else { return .refused }
        let key = question.digest
        if let answer = known[key] {
            if uptime() < answer.end { return answer.isAllowed ? .allowed : .refused }
            known[key] = nil
        }
        // Everybody who asks the same waits for the same answer.
        if let asked = questions[key] { return await asked.answer.value }
        guard questions.count < Self.maximumQuestionCount,
            questions.values.count(where: { $0.address == question.address }) < Self.maximumQuestionCountPerAddress
        else { return .unavailable }
        let task = Task { await send(question, key) }
        questions[key] = (question.address, task)
        return await task.value
    }

    private func send(_ question: HookQuestion, _ key: HookQuestion.Digest) async -> Answer {
        defer { questions[key] = nil }
        guard let isAllowed = try? await ask(question) else { return .unavailable }
        if known.count >= Self.maximumKnownCount { known = [:] }
        known[key] = Known(
            isAllowed: isAllowed, end: uptime() + (isAllowed ? Self.allowedTime : Self.refusedTime))
        return isAllowed ? .allowed : .refused
    }
}
