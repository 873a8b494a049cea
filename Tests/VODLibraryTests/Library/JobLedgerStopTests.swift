import Catalogue
import Foundation
import Logging
import Synchronization
import Testing

@testable import VODLibrary

@Suite(.timeLimit(.minutes(1))) struct JobLedgerStopTests {
    /// Refuses to write for a task that was cancelled, as GRDB does.
    private final class Store: JobStore {
        let written = Mutex<[JobRecord]>([])

        var lastJobNumber: Int64 { 0 }
        func job(number: Int64) async throws -> JobRecord? { nil }
        func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord> {
            Page(items: [], next: nil)
        }
        func unfinishedJobs() async throws -> [JobRecord] { [] }
        func write(_ jobs: [JobRecord], durability: Durability) async throws {
            try Task.checkCancellation()
            written.withLock { $0 += jobs }
        }
        func pruneJobs(keeping count: Int, endedAfter date: Date) async throws {}
    }

    private struct Recorder: LogHandler {
        final class Lines: Sendable {
            let value = Mutex<[String]>([])
        }

        let lines: Lines
        var logLevel = Logger.Level.debug
        var metadata: Logger.Metadata = [:]

        init(_ lines: Lines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.value.withLock { $0.append("\(event.level) \(event.message)") } }
    }

    @Test func aStopDuringIngestWritesWhatIsLeftAndIsNoError() async throws {
        let (store, lines) = (Store(), Recorder.Lines())
        let ledger = JobLedger(
            store: store, now: { Date() }, logger: Logger(label: "test") { _ in Recorder(lines) })
        for _ in 0..<20 {
            let writing = Task { await ledger.writeBehind() }
            _ = await ledger.openedDownload(of: "film.mp4", from: "https://origin.test/film.mp4")
            for _ in 0..<100 { await Task.yield() }
            writing.cancel()
            await writing.value
        }
        #expect(lines.value.withLock { $0 } == [])
        #expect(Set(store.written.withLock { $0.map(\.number) }) == Set(1...20))
    }
}
