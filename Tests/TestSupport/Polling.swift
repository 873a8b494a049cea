/// A condition did not become true in time.
package struct DeadlineExceeded: Error, CustomStringConvertible {
    package var expectation: String
    package var seconds: Double
    package var lastSeen: String

    package var description: String { "not within \(seconds) s: \(expectation); last seen: \(lastSeen)" }
}

/// Polls until there is a value, or the deadline passes.
///
/// - Parameters:
///   - expectation: the event that is waited for, for the error.
///   - isolation: the isolation of the caller, in which `ask` runs.
///   - ask: returns the value; `nil` and errors mean "not yet". The last error is reported when the deadline passes.
/// - Throws: ``DeadlineExceeded``.
package func eventually<Value>(
    _ expectation: String, within seconds: Double = 30, every interval: Duration = .milliseconds(50),
    isolation: isolated (any Actor)? = #isolation, ask: () async throws -> Value?
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
        try await clock.sleep(for: interval)
    }
}

/// Polls until a condition is true, or 30 seconds have passed.
///
/// - Parameters:
///   - isolation: the isolation of the caller, in which `condition` runs.
///   - condition: errors mean "not yet".
/// - Throws: ``DeadlineExceeded`` with the place of the call.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID, line: Int = #line,
    _ condition: () async throws -> Bool
) async throws {
    try await eventually("\(fileID):\(line)", every: .milliseconds(5), isolation: isolation) {
        try await condition() ? () : nil
    }
}
