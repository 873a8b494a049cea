import Catalogue
import DatabaseTestSupport
import Foundation
import MediaCore
import MediaWorkerTestSupport
import Testing

@testable import VODLibrary

/// Files that our parser refuses, or whose copy it refuses, although libav plays them: they are converted, and the job
/// says why.
@Suite(.eachEngine) struct ConversionFallbackTests {
    private let fixtures: WorkerFixtures
    private let library: LibraryFixture

    init() throws {
        fixtures = try WorkerFixtures()
        library = try LibraryFixture(realWorker: true)
    }

    private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 0"

    private func expectConverted(_ name: String, because reason: String, frames: Int) async throws {
        try await library.settle()
        let title = try #require(try await library.title(name))
        #expect(title.state == .ready, "\(title.error ?? "")")
        let path = try #require(title.mediaPath)
        #expect(path.hasPrefix("\(library.folder)/data/movies/"))
        let count = try fixtures.probe(
            path, "-select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0")
        #expect(Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) == frames)
        let jobs = try await library.library.jobs(matching: nil, after: nil, limit: 10)
        let job = try #require(jobs.items.first { $0.kind == .title })
        #expect(job.state == .ready && job.error == nil)
        #expect(job.message?.contains(reason) == true, "\(job.message ?? "no message")")
        #expect(job.message?.contains(library.folder) == false)
        #expect(library.dataFiles.filter { $0.hasPrefix("movies/") }.count == 1)
    }

    /// A copy of it would have one segment of 25 s.
    @Test func keyFramesThatAreTooFarApart() async throws {
        let file = try fixtures.makeMedia(
            "rare.mkv", seconds: 25, "\(Self.h264) -g 9999 -sc_threshold 0 -s 160x90 -r 10 -c:a aac")
        try library.write(Data(contentsOf: URL(filePath: file)), to: library.vod("rare.mkv"))
        try await expectConverted("rare.mkv", because: "key frames are 25 s apart", frames: 250)
    }

    /// A table of key frames names a frame that there is not; libav passes over it.
    @Test func aTableThatContradictsAnother() async throws {
        let file = try fixtures.makeMedia("table.mp4", "\(Self.h264) -g 25 -c:a aac -movflags +faststart")
        var bytes = try Data(contentsOf: URL(filePath: file))
        let table = try #require(bytes.firstRange(of: Data("stss".utf8)))
        let count = bytes[table.upperBound + 4..<table.upperBound + 8].reduce(0) { $0 << 8 | Int($1) }
        #expect(count == 3)
        let last = table.upperBound + 8 + (count - 1) * 4
        bytes.replaceSubrange(last..<last + 4, with: [0, 0, 0xFF, 0xFF])
        try library.write(bytes, to: library.vod("table.mp4"))
        try await expectConverted("table.mp4", because: "names sync sample 65535 of 75", frames: 75)
    }

    /// The parameter sets in front of the frames are right, those in the container are not.
    @Test func parameterSetsThatAreBroken() async throws {
        let stream = try fixtures.makeMedia("a.ts", "\(Self.h264) -g 25 -c:a aac")
        let file = fixtures.path("sets.mkv")
        try WorkerFixtures.run("ffmpeg", ["-nostdin", "-v", "error", "-i", stream, "-c", "copy", file])
        var bytes = try Data(contentsOf: URL(filePath: file))
        // avcC: one set of parameters with its length, and the set.
        let configuration = try #require(bytes.firstRange(of: Data([0xFF, 0xE1])))
        let set = configuration.upperBound + 2
        #expect(bytes[set] & 0x1F == 7)
        bytes.replaceSubrange(set + 1..<set + 16, with: repeatElement(0, count: 15))
        try library.write(bytes, to: library.vod("sets.mkv"))
        try await expectConverted("sets.mkv", because: "H.264 sequence parameter set", frames: 75)
    }
}
