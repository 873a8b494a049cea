package import Testing

/// Runs each test of a suite once on each of some engines, with ``TestEngine/current`` set.
package struct EachEngine: SuiteTrait, TestTrait, TestScoping {
    fileprivate let engines: @Sendable (Test) -> [TestEngine]

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // The scope of a suite is not that of its tests.
        guard testCase != nil else { return try await function() }
        for engine in engines(test) {
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
    /// Runs each test on SQLite and on PostgreSQL: for what contains SQL, and for the catalogue and the library as a
    /// whole.
    package static var eachEngine: EachEngine { EachEngine { _ in TestEngine.allCases } }

    /// Runs about half of the tests on either engine: for endpoints and pages, below which the SQL is tested on both.
    package static var eitherEngine: EachEngine {
        // The same one in each run.
        EachEngine { test in
            [TestEngine.allCases[test.name.utf8.reduce(0) { $0 + Int($1) } % TestEngine.allCases.count]]
        }
    }

    /// Runs a test on one engine: for tests that take so long that each of a suite runs on another one.
    package static func engine(_ engine: TestEngine) -> EachEngine { EachEngine { _ in [engine] } }
}
