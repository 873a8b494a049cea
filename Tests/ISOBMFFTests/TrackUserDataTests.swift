import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ISOBMFF

/// Names and purposes of tracks, and languages of more than three letters.
struct TrackUserDataTests {
    private func audio(_ boxes: [BoxNode], language: String? = nil) async throws -> MovieTrack {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.audioOnly.path())).map { node in
            guard node.type == "moov" else { return node }
            return node.replacing("trak") { track in
                var track = track
                track.children = track.children.filter { $0.type != "udta" }
                if !boxes.isEmpty { track.children.append(BoxNode("udta", boxes.flatMap(\.bytes))) }
                guard let language else { return track }
                return track.replacing("mdia") { media in
                    var media = media
                    media.children.insert(BoxNode("elng", [0, 0, 0, 0] + Array(language.utf8) + [0]), at: 1)
                    return media
                }
            }
        }
        return try #require(try MovieIndex.read(from: InMemoryMovie(nodes.flatMap(\.bytes))).tracks.first)
    }

    private func kind(_ scheme: String, _ value: String) -> BoxNode {
        BoxNode("kind", [0, 0, 0, 0] + Array("\(scheme)\0\(value)\0".utf8))
    }

    @Test func namesAndPurposesAreRead() async throws {
        #expect(try await audio([]).userData == TrackUserData())
        let role = "urn:mpeg:dash:role:2011"
        let commentary = try await audio([
            BoxNode("name", Array(" Comentario\ndel director \0".utf8)), kind(role, "commentary"),
        ])
        #expect(commentary.userData.name == "Comentario del director" && commentary.userData.isCommentary)
        #expect(try await audio([kind(role, "description")]).userData.describesVideo)
        #expect(
            try await audio([BoxNode("tagc", Array("public.accessibility.describes-video".utf8))]).userData
                .describesVideo)
        #expect(try await audio([kind("urn:other", "commentary")]).userData == TrackUserData())
        let titled = try await audio([BoxNode("titl", [0, 0, 0, 0, 0x55, 0xC4] + Array("Dolby\0".utf8))])
        #expect(titled.userData.name == "Dolby")
    }

    @Test func whatIsDamagedCountsAsMissing() async throws {
        for box in [
            BoxNode("kind", []), BoxNode("kind", [0, 0, 0, 0, 1]), BoxNode("titl", [0]), BoxNode("name", []),
            BoxNode("tagc", [0xFF, 0xFE]),
        ] {
            #expect(try await audio([box]).userData == TrackUserData())
        }
        let long = try await audio([BoxNode("name", Array(String(repeating: "ñ", count: 5_000).utf8))])
        #expect(long.userData.name.map { (1...1_024).contains($0.utf8.count) && !$0.contains("\u{FFFD}") } == true)
    }

    @Test func extendedLanguagesAreReadAndWritten() async throws {
        #expect(try await audio([], language: "zh-hant").language?.text == "zh-Hant")
        let bytes = try bytesOfFile(try await MovieFixture.bFrames.path())
        let nodes = BoxNode.parse(bytes)
        let movie = try #require(nodes.first { $0.type == "moov" })
        let changed = try ExtendedLanguageBoxes.adding([1: "zh-Hant", 7: "es-419"], to: ByteBuffer(bytes: movie.bytes))
        // The media lies after this `moov` and is not read here, only the tracks.
        let file = InMemoryMovie(Array(changed.readableBytesView), claimedByteCount: Int64(bytes.count) + 1_000)
        let boxes = BoxNode.parse(Array(changed.readableBytesView))
        #expect(boxes.count == 1 && boxes[0].bytes == Array(changed.readableBytesView))
        #expect(try MovieIndex.read(from: file).tracks.map(\.language?.text) == [nil, "zh-Hant"])
        // Once more changes nothing.
        #expect(try ExtendedLanguageBoxes.adding([1: "fr-CA"], to: changed) == changed)
        #expect(throws: (any Error).self) {
            try ExtendedLanguageBoxes.adding([0: "es-419"], to: ByteBuffer(bytes: [0, 0]))
        }
    }
}
