import Catalogue
import LibraryCore
import Synchronization

@testable import JobRunning

/// A kind of job whose jobs do what a test says.
final class FakeJobKind: LibraryJobKind {
    let kind: JobKind
    let section: LibrarySection?
    let rank: Int
    private let lane: JobLane
    private let performing: @Sendable (LibraryJob) async throws -> JobOutcome
    private let cancelling: @Sendable (LibraryJob) async throws -> Void
    private let isWanted: @Sendable (LibraryJob) -> Bool
    private let seen = Mutex<[String]>([])

    /// The calls of the runner, in order, such as "perform a".
    var calls: [String] { seen.withLock { $0 } }

    init(
        _ kind: JobKind = .title, section: LibrarySection? = .titles, lane: JobLane = .conversion, rank: Int = 0,
        isWanted: @escaping @Sendable (LibraryJob) -> Bool = { _ in true },
        cancelling: @escaping @Sendable (LibraryJob) async throws -> Void = { _ in },
        performing: @escaping @Sendable (LibraryJob) async throws -> JobOutcome = { _ in .ready }
    ) {
        self.kind = kind
        self.section = section
        self.lane = lane
        self.rank = rank
        self.isWanted = isWanted
        self.cancelling = cancelling
        self.performing = performing
    }

    /// A kind of job for titles.
    static func titles(
        in lane: JobLane = .conversion, performing: @escaping @Sendable (LibraryJob) async throws -> JobOutcome
    ) -> FakeJobKind { FakeJobKind(lane: lane, performing: performing) }

    func note(_ call: String) { seen.withLock { $0.append(call) } }

    func firstLane(ofFile name: String) -> JobLane { lane }
    func itemState(in lane: JobLane) -> TitleState { .transcoding }

    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        note("perform \(job.id)")
        return try await performing(job)
    }

    func isStillWanted(_ job: LibraryJob) async throws -> Bool { isWanted(job) }
    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding { .superseded }

    func cancelled(_ job: LibraryJob) async throws {
        note("cancelled \(job.id)")
        try await cancelling(job)
    }
}
