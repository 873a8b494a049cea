import Foundation
import Testing
import Synchronization
import TestSupport

@testable import APIClient
@testable import JSONDocument

struct IngestRunTests {
    @Test func thePaceIsWhatWasDoneSinceItWasFirstSeen() {
        let start = ContinuousClock.now
        var pace = IngestPace()
        #expect(pace.text(byteCount: 1e9) == nil)
        pace.note(nil, at: start)
        pace.note(0.1, at: start)
        pace.note(0.11, at: start + .milliseconds(100))
        #expect(pace.text(byteCount: 1e9) == nil)
        pace.note(0.2, at: start + .seconds(10))
        #expect(pace.text(byteCount: 1e9) == "10 MB/s, 1:20 left")
        #expect(pace.text(byteCount: 1e8) == "1.0 MB/s, 1:20 left")
        #expect(pace.text(byteCount: nil) == "1:20 left")
        // Progress that goes backwards is ignored.
        pace.note(0.05, at: start + .seconds(11))
        #expect(pace.text(byteCount: nil) == "1:20 left")
        var slow = IngestPace()
        slow.note(1e-9, at: start)
        slow.note(2e-9, at: start + .seconds(3_600))
        #expect(slow.text(byteCount: 1) == "0.0 MB/s, 99:59:59 left")
    }

    /// Returns the entries that the test provides.
    private final class FakeDestination: IngestDestination {
        let paths = Mutex<[String]>([])

        func ingest(path: String) async throws -> IngestEntry {
            paths.withLock { $0.append(path) }
            if path.hasSuffix("gone.mp4") { throw ServerClientError("it has gone") }
            return entry(state: "queued")
        }

        func current(_ entry: IngestEntry) async throws -> IngestEntry { self.entry(state: "ready") }

        func choosePoster(ofTitle id: String, at seconds: Double?) async throws {
            throw ServerClientError("there is no frame at \(seconds ?? 0) s")
        }

        private func entry(state: String) -> IngestEntry {
            var entry = IngestEntry(.title, id: "a", state: state)
            entry.playlist = "/vod/a/playlist.m3u8"
            return entry
        }
    }

    @Test func answersOfTheAPIAreTitlesTracksAndJobs() throws {
        func entry(_ text: String) throws -> IngestEntry? { IngestEntry(try JSONParser.parse(Array(text.utf8))) }
        let title = try entry(
            #"{"id": "a", "state": "transcoding", "progress": 0.5, "byteCount": 10, "playlist": "/vod/a/playlist.m3u8"}"#
        )
        #expect(title?.kind == .title && title?.progress == 0.5 && title?.byteCount == 10)
        #expect(try entry(#"{"id": "a", "state": "ready", "playlist": "/radio/a/playlist.m3u8"}"#)?.kind == .track)
        let film = try entry(#"{"id": "a", "kind": "film", "state": "ready", "playlist": "/vod/a/playlist.m3u8"}"#)
        #expect(film?.kind == .title)
        let waiting = try entry(#"{"id": "a", "kind": "recording", "state": "queued", "playlist": null}"#)
        #expect(waiting?.kind == .title)
        let job = try entry(#"{"id": "7", "kind": "import", "state": "failed", "error": "a.mp4: damaged"}"#)
        #expect(job?.kind == .job && job?.error == "a.mp4: damaged" && job?.isEnded == true)
        #expect(try entry(#"{"state": "ready"}"#) == nil)
    }

    @Test func aFolderStandsForAllMediaBelowIt() async throws {
        let folder = try TemporaryDirectory(label: "ingest")
        for name in ["films/b.mkv", "films/sub/a.mp3", "films/notes.txt", "films/.hidden.mp4", "films/list.m3u8"] {
            try folder.write("x", to: name)
        }
        let destination = FakeDestination()
        let lines = Mutex("")
        let run = IngestRun(destination: destination, output: .lines) { text in lines.withLock { $0 += text } }
        #expect(try await run.run(files: ["\(folder.path)/films"]))
        let films = "\(folder.path)/films"
        #expect(destination.paths.withLock { $0 } == ["\(films)/b.mkv", "\(films)/sub/a.mp3"])
        #expect(
            lines.withLock { $0 }.hasPrefix("\(films)/b.mkv: queued\n\(films)/b.mkv: ready, /vod/a/playlist.m3u8\n"))
        _ = try folder.file("empty/x")
        #expect(try await !run.run(files: ["\(folder.path)/empty"]))
        #expect(try await !run.run(files: ["\(folder.path)/gone.mp4"]))
        #expect(lines.withLock { $0 }.hasSuffix("gone.mp4: it has gone\n"))
    }

    @Test func jsonHasALineForEachFileAndNoProgress() async throws {
        let folder = try TemporaryDirectory(label: "ingest")
        try folder.write("x", to: "a.mp4")
        let lines = Mutex("")
        let time = try #require(MediaTimestamp("9"))
        for (poster, files) in [(nil, ["a.mp4", "gone.mp4"]), (time, ["a.mp4"])] as [(MediaTimestamp?, [String])] {
            let run = IngestRun(destination: FakeDestination(), posterTime: poster, output: .json) { text in
                lines.withLock { $0 += text }
            }
            #expect(try await !run.run(files: files.map { "\(folder.path)/\($0)" }))
        }
        let answers = try lines.withLock { $0 }.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)) }
        #expect(answers.map { $0["state"]?.string } == ["ready", "failed", "ready"])
        #expect(answers.map { $0["id"]?.string } == ["a", nil, "a"])
        #expect(answers.map { $0["error"]?.string } == [nil, "it has gone", "its poster: there is no frame at 9.0 s"])
        #expect(answers.first?["playlist"]?.string == "/vod/a/playlist.m3u8")
    }
}
