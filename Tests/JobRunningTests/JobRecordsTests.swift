import Catalogue
import Foundation
import Logging
import MediaCore
import Synchronization
import Testing

@testable import JobRunning

@Suite(.timeLimit(.minutes(1))) struct JobRecordsTests {
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
        let (store, lines) = (JobStoreInMemory(), Recorder.Lines())
        for _ in 0..<20 {
            let runner = JobRunner(
                kinds: [FakeJobKind(.download, section: nil, lane: .download)], store: store, wallClock: .system,
                logger: Logger(label: "test") { _ in Recorder(lines) })
            let writing = Task { await runner.writeBehind() }
            await runner.enqueue(JobRequest(.download, fileName: "film.mp4", origin: "https://origin.test/film.mp4"))
            for _ in 0..<100 { await Task.yield() }
            writing.cancel()
            await writing.value
        }
        #expect(lines.value.withLock { $0 } == [])
        #expect(store.all.map(\.number) == Array(1...20))
    }
}
