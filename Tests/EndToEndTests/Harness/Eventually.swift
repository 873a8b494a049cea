import Dispatch

/// A condition did not become true in time.
struct DeadlineExceeded: Error, CustomStringConvertible {
    var expectation: String
    var seconds: Double
    var lastSeen: String
    var description: String { "not within \(seconds) s: \(expectation); last seen: \(lastSeen)" }
}

/// Polls until there is a value, or the deadline passes.
///
/// - Parameter ask: returns the value; `nil` and errors mean "not yet". The last error is reported when the deadline
///   passes.
func eventually<Value: Sendable>(
    _ expectation: String, within seconds: Double = 30, ask: () async throws -> Value?
) async throws -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    var lastSeen = "nothing"
    while true {
        do {
            if let value = try await ask() { return value }
        } catch {
            lastSeen = "\(error)"
        }
        guard clock.now < deadline else {
            throw DeadlineExceeded(expectation: expectation, seconds: seconds, lastSeen: lastSeen)
        }
        try await clock.sleep(for: .milliseconds(50))
    }
}

/// Runs blocking calls on a thread that does not delay other tests.
func offCooperativePool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
}
