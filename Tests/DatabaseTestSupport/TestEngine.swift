/// The engines that tests of storage run on.
package enum TestEngine: String, CaseIterable, Sendable {
    case sqlite
    case postgreSQL

    /// The engine of the test that is running; see ``EachEngine``.
    @TaskLocal package static var current: TestEngine = .sqlite
}
