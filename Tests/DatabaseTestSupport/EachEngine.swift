package import Testing

/// Runs each test of a suite once on each engine, with ``TestEngine/current`` set.
package struct EachEngine: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // The scope of a suite is not that of its tests.
        guard testCase != nil else { return try await function() }
        for engine in TestEngine.allCases {
            await TestEngine.$current.withValue(engine) {
                do {
                    try await function()
                } catch {
                    Issue.record("on \(engine): \(error)")
                }
            }
        }
    }
}

extension Trait where Self == EachEngine {
    /// Runs each test on SQLite and on PostgreSQL.
    package static var eachEngine: EachEngine { EachEngine() }
}
