import Codecs
import Foundation
import LibAV
import MediaWorker
import MediaWorkerTestSupport
import Packaging
import TestSupport
import Testing
import Transcoding

@testable import VODLibrary

/// Other encoders than libx264, as far as this machine's libav has them.
struct LadderEncoderTests {
    /// SVT-AV1 takes no side below 64.
    private static let rungs = [
        LadderRung(name: "b", width: 160, height: 90, frameRate: 25, bitRate: 300_000),
        LadderRung(name: "a", width: 114, height: 64, frameRate: 25, bitRate: 180_000),
    ]
    private static let h264 = "-c:v libx264 -preset ultrafast -crf 12 -pix_fmt yuv420p"

    struct Source: Sendable, CustomTestStringConvertible {
        var name: String
        var arguments: [String]
        /// Of the frames' times, behind the brightness.
        var filters = ""
        var rate = "25"
        var testDescription: String { name }
    }

    private static let sources = [
        Source(name: "plain", arguments: ["-bf", "2", "-g", "50"]),
        // Groups of a rung have other numbers of frames all the time.
        Source(
            name: "variable rate", arguments: ["-fps_mode", "vfr", "-g", "40"],
            filters: ",select='mod(n\\,3)*mod(n\\,7)'"),
        Source(name: "groups of odd lengths", arguments: ["-bf", "2", "-g", "77", "-sc_threshold", "0"]),
        Source(name: "every second frame", arguments: ["-g", "100"], rate: "50"),
        Source(name: "one frame", arguments: ["-frames:v", "1"]),
    ]
    private static let encoders = ["libsvtav1", "libaom-av1", "libx265"].filter {
        LibAVRuntime.hasVideoEncoder(named: $0)
    }

    /// One that counts has to be had for all of them; to the others they are alike.
    private static let combinations = encoders.flatMap { encoder in
        sources.filter { encoder == "libsvtav1" || ["variable rate", "one frame"].contains($0.name) }
            .map { (encoder, $0) }
    }

    @Test(arguments: combinations)
    func everyFrameComesOnceInAlignedGroups(_ encoder: String, _ source: Source) async throws {
        let fixture = try LadderFixture(rungs: Self.rungs) { path in
            try WorkerFixtures.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                    "color=size=160x90:rate=\(source.rate):duration=12", "-vf",
                    LadderFrameTests.brightness + source.filters,
                ] + source.arguments + Self.h264.split(separator: " ").map(String.init) + [path])
        }
        let manifest = try await fixture.make(encoder: encoder)
        var expected = try LadderFrameTests.frames(fixture.path)
        if source.rate == "50" { expected = expected.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
        var keyFrames: [[Double]] = []
        for rung in fixture.rungs {
            let movie = fixture.folder.files.moviePath(rung)
            try LadderFrameTests.expect(movie, shows: expected, rung.name)
            let groups = try fixture.times(movie, keyFrames: true)
            #expect(zip(groups, groups.dropFirst()).allSatisfy { $1 - $0 <= 2.15 })
            keyFrames.append(groups)
        }
        #expect(keyFrames[0] == keyFrames[1])

        let title = try await fixture.title().adding(manifest.movies(in: fixture.folder))
        let segments = try #require(title.video).segments
        let codecs = encoder == "libx265" ? "hvc1.1." : "av01.0."
        for rung in title.ladder?.rungs ?? [] {
            #expect(rung.rendition.segments.count == segments.count)
            #expect(rung.rendition.configuration.rfc6381.hasPrefix(codecs))
        }
        #expect(title.ladder?.rungs.count == 2)
        #expect(title.ladder?.offersSource == (encoder == "libx265"))
    }

    struct Rate: Sendable, CustomTestStringConvertible {
        var encoder: String
        var filters: String
        var testDescription: String { "\(encoder) \(filters)" }
    }

    private static let rates =
        // Half of it is hard to encode, half is easy.
        encoders.map { Rate(encoder: $0, filters: "noise=alls=60:allf=t:enable='lt(mod(t\\,20)\\,10)'") }
        // An encoder that counts has to begin again all the time.
        + encoders.filter { $0 == "libsvtav1" }.map {
            Rate(encoder: $0, filters: "noise=alls=30:allf=t,select='mod(n\\,3)*mod(n\\,7)'")
        }

    @Test(arguments: rates) func theRateKeepsItsCap(_ rate: Rate) async throws {
        let rungs = [LadderRung(name: "a", width: 320, height: 180, frameRate: 25, bitRate: 300_000)]
        let fixture = try LadderFixture(
            "-vf \(rate.filters) -fps_mode vfr -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -g 50 -b:v 3M",
            seconds: 20, rungs: rungs)
        let manifest = try await fixture.make(encoder: rate.encoder)
        let ladder = try await fixture.title().adding(manifest.movies(in: fixture.folder))
        let measured = try #require(ladder.ladder?.rungs.first?.rendition.bitRate)
        #expect(measured.peak <= measured.average * 2, "\(measured)")
        #expect((120_000...345_000).contains(measured.average), "\(measured)")
    }

    // MARK: What cannot be used

    @Test(arguments: ["mpeg4", "libvpx-vp9", "libx264rgb", "mjpeg", "no-such-encoder", ""])
    func whatHLSDoesNotCarryIsRefusedByName(_ encoder: String) async throws {
        let fixture = try LadderFixture("\(Self.h264) -g 50", seconds: 2)
        let error = await #expect(throws: WorkerFailure.self) { try await fixture.encode(0, encoder: encoder) }
        #expect(
            error?.reason.hasPrefix("film.mp4: \"\(encoder)\" is not a supported encoder for renditions")
                == true)
        #expect(error?.reason.contains("must be one of: libx264, ") == true)
    }

    /// An operator who names a device must be told that it is not used.
    @Test(arguments: ["h264_vaapi", "hevc_vaapi", "h264_nvenc", "hevc_nvenc"])
    func aDeviceThatIsNotThereFailsTheWork(_ encoder: String) async throws {
        let kind = try #require(try LadderEncoder(named: encoder).device)
        guard let absence = kind.absence else { return }
        let fixture = try LadderFixture("\(Self.h264) -g 50", seconds: 2)
        let error = await #expect(throws: WorkerFailure.self) { try await fixture.encode(0, encoder: encoder) }
        #expect(error?.reason == "film.mp4: cannot be encoded with \(encoder): \(absence)")
        #expect(absence.contains(kind == .vaapi ? "/dev/dri/renderD" : "/dev/nvidia"))
    }
}
