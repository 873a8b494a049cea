import Foundation
import MediaWorkerTestSupport
import TestSupport
import Testing

@testable import MediaWorker

/// Files that cannot be decoded without a key are refused and not played as noise.
struct WorkerEncryptionTests {
    private let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
    private static let commonEncryption =
        "-encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb "
        + "-encryption_kid a7e61c373e219033c21091fa607bf3b8"

    private var tasks: [WorkerRequest.Task] {
        [
            .probe, .toMovie(output: fixtures.path("out.mp4")), .toAudioMovie(output: fixtures.path("out.m4a")),
            .poster(output: fixtures.path("out.jpg"), width: 160),
        ]
    }

    @Test(arguments: ["\(h264) -c:a aac", "-vn -c:a aac", "\(h264) -an"])
    func commonEncryptionOfMovies(arguments: String) async throws {
        let file = try fixtures.makeMedia("film.mp4", "\(arguments) \(Self.commonEncryption)")
        for task in tasks {
            let reason = await fixtures.failure(task, on: file)
            #expect(reason.hasPrefix("film.mp4: is encrypted (cenc)"), "\(reason)")
        }
    }

    /// Only the audio's sample entry says that it is protected.
    @Test func oneEncryptedTrackIsEnough() async throws {
        let clear = try fixtures.makeMedia("clear.mp4", "\(Self.h264) -c:a aac")
        let nodes = BoxNode.parse(try Data(contentsOf: URL(filePath: clear))).map { node in
            node.replacing("stsd") { box in
                var changed = box
                guard
                    let place = box.content.indices.first(where: { box.content[$0...].starts(with: Array("mp4a".utf8)) }
                    )
                else { return box }
                changed.content.replaceSubrange(place..<place + 4, with: Array("enca".utf8))
                return changed
            }
        }
        let file = fixtures.path("half.mp4")
        try Data(nodes.flatMap(\.bytes)).write(to: URL(filePath: file))
        let reason = await fixtures.failure(.toMovie(output: fixtures.path("out.mp4")), on: file)
        #expect(reason.hasPrefix("half.mp4: is encrypted"), "\(reason)")
    }

    @Test func scrambledTransportStreams() async throws {
        let clear = try fixtures.makeMedia("clear.ts", "\(Self.h264) -c:a aac")
        var bytes = try Data(contentsOf: URL(filePath: clear))
        for offset in stride(from: 0, to: bytes.count - 187, by: 188) where bytes[offset + 1] & 0x1F == 1 {
            bytes[offset + 3] |= 0x80
        }
        let file = fixtures.path("film.ts")
        try bytes.write(to: URL(filePath: file))
        let reason = await fixtures.failure(.toMovie(output: fixtures.path("out.mp4")), on: file)
        #expect(reason.hasPrefix("film.ts: is encrypted"), "\(reason)")
        #expect(await fixtures.failure(.probe, on: clear).hasPrefix("no failure"))
    }

    /// H.266 in MP4, which this libav does not know; its name is in the sample entry.
    @Test func codecsThatCannotBeDecodedAreNamed() async throws {
        let file = try fixtures.makeMedia("film.mp4", "\(Self.h264) -an")
        var bytes = try Data(contentsOf: URL(filePath: file))
        for (type, other) in [("avc1", "vvc1"), ("avcC", "vvcC")] {
            let place = try #require(bytes.range(of: Data(type.utf8), options: .backwards))
            bytes.replaceSubrange(place, with: Data(other.utf8))
        }
        try bytes.write(to: URL(filePath: file))
        let reason = await fixtures.failure(.toMovie(output: fixtures.path("out.mp4")), on: file)
        #expect(reason.hasPrefix("film.mp4: VVC (H.266) is not supported"), "\(reason)")
    }
}
