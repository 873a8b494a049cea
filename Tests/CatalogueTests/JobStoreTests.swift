import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import Testing

@testable import Catalogue

@Suite(.eachEngine) struct JobStoreTests {
    private let temporary: TemporaryCatalogue
    private var catalogue: Catalogue { temporary.catalogue }
    private let date = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws { temporary = try TemporaryCatalogue() }

    private func job(_ number: Int64, _ state: JobState = .queued, priority: Int = 0) -> JobRecord {
        var job = JobRecord(
            number: number, kind: .title, subject: "film-\(number)", section: "vod", file: "Film \(number).mp4",
            state: state, priority: priority, createdAt: date)
        if state.isFinal { job.endedAt = date.addingTimeInterval(Double(number)) }
        return job
    }

    @Test(arguments: [SQLDurability.onDisk, .soon]) func keepsEveryField(_ durability: SQLDurability) async throws {
        var full = job(7, .transcoding, priority: -3)
        full.kind = JobKind(rawValue: "ladder")
        full.origin = "https://example.org/a.mp4"
        full.byteCount = 1 << 40
        full.parameters = "{\"presets\": []}"
        full.phase = "low"
        full.progress = 0.5
        full.error = "no"
        full.attempt = 3
        full.startedAt = date
        full.endedAt = date.addingTimeInterval(2)
        try await catalogue.write([full, job(8)], durability: durability)
        #expect(try await catalogue.job(number: 7) == full)
        full.state = .ready
        try await catalogue.write([full], durability: durability)
        #expect(try await catalogue.job(number: 7)?.state == .ready)
        #expect(try await catalogue.job(number: 9) == nil)
    }

    @Test func pagesGoFromTheNewestToTheOldest() async throws {
        try await catalogue.write((1...5).map { job($0) }, durability: .soon)
        let first = try await catalogue.jobs(matching: nil, after: nil, limit: 2)
        #expect(first.items.map(\.number) == [5, 4])
        // A job that is added in the meantime neither shifts nor repeats any item.
        try await catalogue.write([job(6)], durability: .soon)
        let second = try await catalogue.jobs(matching: nil, after: first.next, limit: 2)
        #expect(second.items.map(\.number) == [3, 2])
        let last = try await catalogue.jobs(matching: nil, after: second.next, limit: 2)
        #expect(last.items.map(\.number) == [1])
        #expect(last.next == nil)
        #expect(try await catalogue.jobs(matching: "ILM 3", after: nil, limit: 9).items.map(\.number) == [3])
        for cursor in ["x", "-1", "0", ""] {
            await #expect(throws: Refusal.self) {
                _ = try await catalogue.jobs(matching: nil, after: cursor, limit: 2)
            }
        }
    }

    @Test func whatIsNotDoneComesInItsOrder() async throws {
        try await catalogue.write(
            [job(1), job(2, .transcoding, priority: 5), job(3, .failed), job(4, priority: 5), job(5, .cancelled)],
            durability: .soon)
        #expect(try await catalogue.unfinishedJobs().map(\.number) == [2, 4, 1])
    }

    @Test func onlyTheNewestThatHaveEndedAreKept() async throws {
        try await catalogue.write(
            [job(1)] + (2...6).map { job($0, .ready) } + [job(7, .failed)], durability: .soon)
        try await catalogue.pruneJobs(keeping: 4, endedAfter: date)
        #expect(try await catalogue.jobs(matching: nil, after: nil, limit: 9).items.map(\.number) == [7, 6, 5, 4, 1])
        try await catalogue.pruneJobs(keeping: 4, endedAfter: date.addingTimeInterval(5))
        #expect(try await catalogue.jobs(matching: nil, after: nil, limit: 9).items.map(\.number) == [7, 6, 1])
    }

    /// Numbers are not reused even after the job with the highest number has been pruned.
    @Test func noNumberIsGivenTwice() async throws {
        #expect(catalogue.lastJobNumber == 0)
        try await catalogue.write([job(1), job(2, .ready)], durability: .onDisk)
        try await catalogue.pruneJobs(keeping: 0, endedAfter: date.addingTimeInterval(100))
        #expect(try temporary.reopened().lastJobNumber == 2)
    }
}
