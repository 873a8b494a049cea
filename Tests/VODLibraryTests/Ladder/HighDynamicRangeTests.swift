import Codecs
import Foundation
import HLSPlaylist
import ISOBMFF
import MediaWorker
import MediaWorkerTestSupport
import NIOCore
import Packaging
import Testing
import Transcoding

@testable import VODLibrary

/// The products of an HDR film: renditions, conversions and images are SDR, and are as bright as the film is.
struct HighDynamicRangeTests {
    struct Film: Sendable, CustomTestStringConvertible {
        var transfer: String
        /// The code values of diffuse white and of an 18 % grey card (ITU-R BT.2408).
        var white: Int
        var grey: Int
        var range: VideoRange

        var testDescription: String { transfer }

        /// White on the left, grey on the right.
        var arguments: String {
            let color = "colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:range=limited"
            return "-vf format=yuv420p10le,geq=lum='if(lt(X,W/2),\(white),\(grey))':cb=512:cr=512 -c:v libx265 "
                + "-preset ultrafast -tag:v hvc1 -x265-params log-level=none:keyint=50:open-gop=0:\(color) "
                + "-color_primaries bt2020 -color_trc \(transfer) -colorspace bt2020nc -c:a aac"
        }
    }

    static let films = [
        Film(transfer: "smpte2084", white: 573, grey: 395, range: .perceptualQuantizer),
        Film(transfer: "arib-std-b67", white: 721, grey: 397, range: .hybridLogGamma),
    ]

    /// The brightness of the two halves of the first frame, in code values of eight bits, limited range.
    private func halves(_ path: String, _ files: WorkerFixtures, isJPEG: Bool = false) throws -> (Int, Int) {
        let output = files.path("raw.gray")
        // The luma as it is; only JPEG has another range.
        let filter = (isJPEG ? "scale=out_range=limited," : "") + "format=yuv420p,crop=iw:2:0:0,extractplanes=y"
        try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-i", path, "-frames:v", "1", "-vf", filter, "-f", "rawvideo", output,
            ])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: output)))
        let width = bytes.count / 2
        try #require(width >= 16)
        return (Int(bytes[width / 4]), Int(bytes[width * 3 / 4]))
    }

    private func expectStandard(_ halves: (Int, Int), _ film: Film) {
        #expect((205...228).contains(halves.0), "white is \(halves.0) for \(film.transfer)")
        #expect((101...115).contains(halves.1), "grey is \(halves.1) for \(film.transfer)")
    }

    @Test(arguments: films) func renditionsAreStandard(_ film: Film) async throws {
        let fixture = try LadderFixture(film.arguments, seconds: 4)
        let manifest = try await fixture.make()
        let title = try await fixture.title().adding(manifest.movies(in: fixture.folder))
        let variants = title.multivariantPlaylist().variants
        #expect(variants.count == 3 && variants.count { $0.videoRange == "SDR" } == 2)
        #expect(variants.count { $0.videoRange == film.range.rawValue } == 1)
        for variant in variants {
            let isSource = variant.videoRange == film.range.rawValue
            #expect(variant.codecs.contains { $0.hasPrefix(isSource ? "hvc1.2" : "avc1") })
        }
        for rung in fixture.rungs {
            let movie = fixture.folder.files.moviePath(rung)
            let tags = try fixture.files.probe(
                movie,
                "-select_streams v -show_entries stream=pix_fmt,color_range,color_space,color_transfer,color_primaries -of csv=p=0"
            )
            #expect(tags == "yuv420p,tv,bt709,bt709,bt709\n")
            expectStandard(try halves(movie, fixture.files), film)
            // What players get says the same in the sample entry.
            let rendition = try #require(
                title.ladder?.rungs.first { $0.rendition.displaySize?.width == rung.width }?.rendition)
            let section = Array(rendition.initializationSection().readableBytesView)
            let color = Array("colrnclx".utf8) + [0, 1, 0, 1, 0, 1, 0]
            #expect(section.indices.contains { section[$0...].starts(with: color) })
        }
    }

    /// A film that has to be converted, because no player has its profile.
    @Test(arguments: films) func conversionsAndImagesAreStandard(_ film: Film) async throws {
        let files = try WorkerFixtures()
        let path = try files.makeMedia(
            "film.mkv", seconds: 2, film.arguments.replacing("format=yuv420p10le", with: "format=yuv422p10le"))
        let output = files.path("film.mp4")
        let result = try await files.work(.toMovie(output: output), on: path)
        #expect(result.transcodedStreams == 1)
        let tags = try files.probe(
            output,
            "-select_streams v -show_entries stream=codec_name,pix_fmt,color_space,color_transfer,color_primaries -of csv=p=0"
        )
        #expect(tags == "h264,yuv420p,bt709,bt709,bt709\n")
        expectStandard(try halves(output, files), film)
        let poster = files.path("poster.jpg")
        _ = try await files.work(.poster(output: poster, width: 160), on: path)
        expectStandard(try halves(poster, files, isJPEG: true), film)
        let chapter = files.path("chapter.jpg")
        _ = try await files.work(.image(.time(output: chapter, width: 160, seconds: 1)), on: path)
        expectStandard(try halves(chapter, files, isJPEG: true), film)
        let board = files.path("board")
        try FileManager.default.createDirectory(atPath: board, withIntermediateDirectories: true)
        _ = try await files.work(.image(.storyboard(folder: board, duration: 2, version: "r")), on: path)
        let sheet = try #require(
            try FileManager.default.contentsOfDirectory(atPath: board).first { $0.hasSuffix(".jpg") })
        // The first thumbnail, and nothing of the next one.
        let tile = files.path("tile.jpg")
        try WorkerFixtures.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", "\(board)/\(sheet)", "-vf", "crop=160:90:0:0", "-q:v", "2", tile])
        expectStandard(try halves(tile, files, isJPEG: true), film)
    }

    /// HEVC Main 10 plays as it is.
    @Test func theFilmItselfStaysAsItIs() async throws {
        let files = try WorkerFixtures()
        let path = try files.makeMedia("film.mkv", seconds: 2, Self.films[0].arguments)
        let output = files.path("film.mp4")
        let result = try await files.work(.toMovie(output: output), on: path)
        #expect(result.transcodedStreams == 0 && result.copiedStreams == 2)
        let index = try MovieIndex.read(from: MediaFile(path: output))
        #expect(index.tracks.first?.configuration?.videoRange == .perceptualQuantizer)
    }
}
