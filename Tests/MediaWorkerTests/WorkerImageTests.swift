import Foundation
import MediaWorkerTestSupport
import Testing

@testable import MediaWorker

/// Posters and storyboards made by the real worker, inside its confinement.
struct WorkerImageTests {
    private let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    private static let movie = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25 -c:a aac"

    private func size(_ name: String) throws -> String {
        try fixtures.probe(fixtures.path(name), "-show_entries stream=codec_name,width,height -of csv=p=0")
    }

    private func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: fixtures.path(name), withIntermediateDirectories: true)
        return fixtures.path(name)
    }

    @Test(arguments: [0, 1.5, 2.96, 500]) func takesTheFrameAtATimeOrTheLast(_ seconds: Double) async throws {
        let file = try fixtures.makeMedia("a.mp4", Self.movie)
        let work = ImageWork.time(output: fixtures.path("out.jpg"), width: 160, seconds: seconds)
        _ = try await fixtures.work(.image(work), on: file)
        #expect(try size("out.jpg") == "mjpeg,160,90\n")
    }

    @Test func imagesOfTelephonesStandUpright() async throws {
        let plain = try fixtures.makeMedia("plain.mp4", Self.movie)
        let rotated = fixtures.path("rotated.mp4")
        try WorkerFixtures.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=90", rotated])
        let board = try folder("board")
        _ = try await fixtures.work(
            .image(.storyboard(folder: board, duration: 3, version: "r")), on: rotated)
        #expect(try size("board/storyboard-1.jpg") == "mjpeg,160,284\n")
        let text = try String(contentsOfFile: "\(board)/storyboard.vtt", encoding: .utf8)
        #expect(text.hasSuffix("storyboard-1.jpg?v=r#xywh=0,0,160,284\n"))
        _ = try await fixtures.work(
            .image(.time(output: fixtures.path("out.jpg"), width: 90, seconds: 1)), on: rotated)
        #expect(try size("out.jpg") == "mjpeg,90,160\n")
    }

    /// A frame each 5 s of a film that says it lasts a week: the last one stands for the rest, and work stays small.
    @Test func aLieAboutTheDurationCostsNoMoreThanTheLimits() async throws {
        let file = try fixtures.makeMedia("a.mp4", Self.movie)
        let board = try folder("board")
        _ = try await fixtures.work(
            .image(.storyboard(folder: board, duration: 7 * 86_400, version: "r")), on: file)
        let names = try FileManager.default.contentsOfDirectory(atPath: board).sorted()
        #expect(names.filter { $0.hasSuffix(".jpg") }.count <= Storyboard.maximumSheetCount)
        #expect(names.contains(Storyboard.fileName))
        #expect(!names.contains { $0.hasSuffix(".part") })
    }

    @Test func cutFilesHaveWhatIsThereOrAReason() async throws {
        let file = try fixtures.makeMedia("a.mp4", seconds: 6, Self.movie + " -movflags +faststart")
        let bytes = try Data(contentsOf: URL(filePath: file))
        for share in [0.3, 0.6, 0.9] {
            let cut = fixtures.path("cut.mp4")
            try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(filePath: cut))
            let board = try folder("board-\(share)")
            for work in [
                ImageWork.storyboard(folder: board, duration: 6, version: "r"),
                .time(output: fixtures.path("out.jpg"), width: 160, seconds: 5.5),
            ] {
                do {
                    _ = try await fixtures.work(.image(work), on: cut)
                } catch let failure as WorkerFailure {
                    #expect(failure.reason.hasPrefix("cut.mp4: "))
                    #expect(!failure.reason.contains("killed"))
                }
            }
        }
    }

    @Test func sentImagesAreMadeSmall() async throws {
        for (name, codec) in [("large.png", "png"), ("large.jpg", "mjpeg")] {
            let source = fixtures.path(name)
            try WorkerFixtures.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1600x900", "-frames:v", "1", "-c:v",
                    codec, "-pix_fmt", codec == "png" ? "rgba" : "yuvj420p", source,
                ])
            _ = try await fixtures.work(.image(.upload(output: fixtures.path("out.jpg"), width: 640)), on: source)
            #expect(try size("out.jpg") == "mjpeg,640,360\n")
        }
    }

    @Test func whatIsNoImageIsRefused() async throws {
        var bomb: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        // 60,000 pixels square, of which there are none.
        bomb += [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0, 0, 0, 0, 0]
        try Data(bomb + [UInt8](repeating: 0, count: 64)).write(to: URL(filePath: fixtures.path("bomb.png")))
        _ = try fixtures.write("<svg xmlns='http://www.w3.org/2000/svg'/>", to: "a.svg")
        _ = try fixtures.write(String(repeating: "no picture. ", count: 100), to: "text.jpg")
        for name in ["bomb.png", "a.svg", "text.jpg"] {
            let failure = await fixtures.failure(
                .image(.upload(output: fixtures.path("out.jpg"), width: 640)), on: fixtures.path(name),
                limits: .inspection)
            #expect(failure.hasPrefix("\(name): ") && !failure.contains("killed"), "\(failure)")
        }
        #expect(!FileManager.default.fileExists(atPath: fixtures.path("out.jpg")))
        #expect(fixtures.leftovers == [])
    }

    /// A movie, and an image whose pixels take gigabytes in a file of some kilobytes.
    @Test(arguments: [false, true]) func neitherAnotherDecoderNorTooManyPixelsAreUsed(_ square: Bool) async throws {
        let movie = try fixtures.makeMedia("movie.jpg.mp4", Self.movie)
        let huge = fixtures.path("huge.png")
        try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=size=8192x5000", "-frames:v", "1", "-pix_fmt",
                "gray", huge,
            ])
        let output = fixtures.path("out.jpg")
        let work = square ? ImageWork.square(output: output, side: 256) : .upload(output: output, width: 640)
        for source in [movie, huge] {
            let failure = await fixtures.failure(.image(work), on: source, limits: .inspection)
            #expect(!failure.isEmpty && !failure.contains("killed"), "\(failure)")
        }
        #expect(!FileManager.default.fileExists(atPath: output))
    }
}
