import Foundation
import MediaWorkerTestSupport
import Testing

@testable import MediaWorker

/// Each bad file fails its own job with a reason that names the file, and leaves nothing behind.
struct WorkerBadInputTests {
    let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    private func expectFailure(_ path: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation)
        async
    {
        let reason = await fixtures.failure(.toMovie(output: fixtures.path("out.mp4")), on: path)
        let name = URL(filePath: path).lastPathComponent
        #expect(reason.hasPrefix("\(name): "), sourceLocation: sourceLocation)
        for word in words { #expect(reason.contains(word), "\(reason)", sourceLocation: sourceLocation) }
        #expect(fixtures.leftovers.isEmpty, sourceLocation: sourceLocation)
        #expect(!FileManager.default.fileExists(atPath: fixtures.path("out.mp4")), sourceLocation: sourceLocation)
    }

    @Test func refusesAnEmptyFile() async throws {
        await expectFailure(try fixtures.write("", to: "empty.mp4"), "is empty")
    }

    @Test func refusesTextNamedAsAMovie() async throws {
        let text = String(repeating: "The quick brown fox. ", count: 500)
        await expectFailure(try fixtures.write(text, to: "text.mp4"), "media format")
    }

    @Test func refusesPlaylists() async throws {
        _ = try fixtures.makeMedia("real.mp4", seconds: 1, "-c:v libx264 -preset ultrafast -c:a aac")
        let refers = "refers to other files; not opened"
        await expectFailure(try fixtures.write("file 'real.mp4'\n", to: "a.mp4"), "concat", refers)
        await expectFailure(
            try fixtures.write("ffconcat version 1.0\nfile real.mp4\n", to: "b.mp4"), "ffconcat", refers)
        let hls = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nreal.mp4\n#EXT-X-ENDLIST\n"
        await expectFailure(try fixtures.write(hls, to: "c.mp4"), "M3U", refers)
        await expectFailure(try fixtures.write(hls, to: "d.m3u8"), "M3U", refers)
    }

    @Test func refusesALargeSparseFile() async throws {
        let path = try fixtures.write("", to: "sparse.mp4")
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 4 << 30)
        await expectFailure(path, "zero")
    }

    @Test func refusesWhatIsNoFile() async throws {
        await expectFailure(fixtures.path("missing.mp4"), "No such file")
        try FileManager.default.createDirectory(atPath: fixtures.path("folder.mp4"), withIntermediateDirectories: true)
        await expectFailure(fixtures.path("folder.mp4"), "not a regular file")
    }

    @Test(arguments: ["", "-movflags +faststart"]) func refusesATruncatedMovie(flags: String) async throws {
        let path = try fixtures.makeMedia("cut.mp4", seconds: 8, "-c:v libx264 -preset ultrafast -c:a aac \(flags)")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: file.seekToEnd() / 2)
        if flags.isEmpty {
            await expectFailure(path, "moov atom not found")
        } else {
            await expectFailure(path, "cut.mp4")
        }
    }

    @Test func refusesATruncatedMatroska() async throws {
        let path = try fixtures.makeMedia("cut.mkv", seconds: 8, "-c:v libx264 -preset ultrafast -c:a aac")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: file.seekToEnd() / 2)
        await expectFailure(path, "truncated")
    }

    @Test func refusesASubtitleFile() async throws {
        await expectFailure(try fixtures.write("1\n00:00:00,000 --> 00:00:01,000\nHi\n\n", to: "a.srt"), "a.srt")
    }
}
