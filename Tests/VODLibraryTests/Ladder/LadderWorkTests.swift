import Foundation
import LibAV
import MediaCore
import MediaWorker
import MediaWorkerTestSupport
import Packaging
import Testing
import Transcoding

@testable import VODLibrary

struct LadderWorkTests {
    static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac"

    /// Stretches that are made one by one, in any order, some of them twice and the last ones by more threads, are what
    /// one run would have made.
    @Test func chunksAreJoinedWithoutASeam() async throws {
        let fixture = try LadderFixture("\(Self.h264) -g 50 -bf 2", seconds: 75)
        let plan = try fixture.plan()
        #expect(plan.parts.count == 4)
        for number in [3, 1, 0, 2, 1] { try await fixture.encode(number, threadCount: number == 3 ? 4 : 1) }
        let first = try await fixture.work(.join(rung: 0))
        #expect(first.firstTime == 0)
        let movie = fixture.folder.files.moviePath(fixture.rungs[0])
        let fields = try fixture.files.probe(
            movie, "-select_streams v -show_entries packet=dts_time,duration_time -of csv=p=0")
        let decodeTimes = fields.split(separator: "\n").compactMap { Double($0.split(separator: ",")[0]) }
        #expect(decodeTimes.count == 75 * 25)
        #expect(zip(decodeTimes, decodeTimes.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.000_1 })
    }

    @Test func aChunkIsThereWholeOrNotAtAll() async throws {
        let fixture = try LadderFixture("\(Self.h264) -g 50", seconds: 30)
        let name = try fixture.plan().parts[0].name
        #expect(!fixture.folder.files.hasChunk(name, fixture.rungs))
        await #expect(throws: WorkerFailure.self) { try await fixture.encode(0, encoder: "no-such-encoder") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.files.chunksPath) == [])
        try await fixture.encode(0)
        #expect(fixture.folder.files.hasChunk(name, fixture.rungs))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.files.chunksPath).count == 2)
    }

    @Test func everySecondFrameOfSixty() async throws {
        let rungs = [LadderRung(name: "a", width: 96, height: 54, frameRate: 30, bitRate: 60_000)]
        let fixture = try LadderFixture("-r 60 \(Self.h264) -g 120", seconds: 8, rungs: rungs)
        _ = try await fixture.make()
        let times = try fixture.times(fixture.folder.files.moviePath(rungs[0]))
        #expect(times.count == 240)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 30) < 0.000_1 })
    }

    @Test func theRateKeepsItsCap() async throws {
        let rungs = [LadderRung(name: "a", width: 320, height: 180, frameRate: 25, bitRate: 200_000)]
        // Half of it is hard to encode, half is easy.
        let fixture = try LadderFixture(
            "-vf noise=alls=60:allf=t:enable='lt(mod(t\\,30)\\,15)' \(Self.h264) -g 50 -b:v 3M", seconds: 60,
            rungs: rungs)
        let manifest = try await fixture.make()
        let ladder = try await fixture.title().adding(manifest.movies(in: fixture.folder))
        let rate = try #require(ladder.ladder?.rungs.first?.rendition.bitRate)
        #expect(rate.peak <= rate.average * 2)
        #expect((100_000...220_000).contains(rate.average))
    }

    struct Shape: Sendable {
        var arguments: String
        var shown: ShownSize
    }

    @Test(arguments: [
        Shape(arguments: h264, shown: ShownSize(width: 320, height: 180)),
        Shape(arguments: "-vf setsar=2 \(h264)", shown: ShownSize(width: 320, height: 90)),
        Shape(arguments: "-vf setsar=1/2 \(h264)", shown: ShownSize(width: 160, height: 180)),
    ])
    func aFrameIsShownWithSquarePixels(_ shape: Shape) async throws {
        let files = try WorkerFixtures()
        let path = try files.makeMedia("a.mp4", seconds: 1, shape.arguments)
        let result = try await files.work(.probe, on: path)
        #expect(result.description?.streams.first { $0.type == "video" }?.shownSize == shape.shown)
    }

    /// A quarter turn, and frames of two fields: upright, and without combs.
    @Test func rotatedVideoIsUprightInTheRungs() async throws {
        let rungs = [LadderRung(name: "a", width: 54, height: 96, frameRate: 25, bitRate: 60_000)]
        let fixture = try LadderFixture("\(Self.h264) -g 50", seconds: 4, name: "plain.mp4", rungs: rungs)
        let rotated = fixture.files.path("turned.mov")
        try WorkerFixtures.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", fixture.path, "-c", "copy", "-metadata:s:v:0", "rotate=90", rotated])
        let work = LadderWork(
            step: .encode(part: "0-1", encoder: "libx264", threadCount: 1), folder: fixture.folder.path,
            rungs: rungs, workerCount: 1)
        _ = try await fixture.files.work(.ladder(work), on: rotated)
        let size = try fixture.files.probe(
            fixture.folder.files.chunkPath("0-1", rungs[0]),
            "-show_entries stream=width,height,sample_aspect_ratio -of csv=p=0")
        #expect(size == "54,96,1:1\n")
    }

    @Test func interlacedFramesBecomeProgressive() async throws {
        let rungs = [LadderRung(name: "a", width: 160, height: 90, frameRate: 25, bitRate: 200_000)]
        let fixture = try LadderFixture(
            "-vf scale=320:192,fps=50,tinterlace=interleave_top -c:v libx264 -preset ultrafast -flags +ildct+ilme -x264opts tff=1 -pix_fmt yuv420p -g 50 -c:a aac",
            seconds: 4, rungs: rungs)
        _ = try await fixture.make()
        let text = try fixture.files.probe(
            fixture.folder.files.moviePath(rungs[0]),
            "-show_frames -select_streams v -show_entries frame=interlaced_frame -of csv=p=0")
        #expect(Set(text.split(separator: "\n").map { $0.prefix(1) }) == ["0"])
    }

    /// Finished chunks stay chunks of the plan after a restart with fewer cores.
    @Test func aLadderThatIsGoneOnWithKeepsItsDivision() throws {
        let fixture = try LadderFixture("\(Self.h264) -g 50", seconds: 2)
        let store = LadderStore(dataDirectory: fixture.files.path("data"))
        #expect(try store.begin(fixture.folder, workerCount: 3) == 3)
        #expect(try store.begin(fixture.folder, workerCount: 8) == 3)
        try FileManager.default.removeItem(atPath: fixture.folder.files.chunksPath)
        #expect(try store.begin(fixture.folder, workerCount: 8) == 8)
    }
}
