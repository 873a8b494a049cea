import ISOBMFF
import MediaCore
import TestSupport
import Testing

/// A damaged track does not affect the other tracks, for callers that request this.
struct DamagedTrackTests {
    /// - Parameters:
    ///   - track: 0 is video, 1 is audio.
    private func movie(track: Int, _ box: String, _ change: (BoxNode) -> BoxNode?) async throws -> InMemoryMovie {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.brief.path())).map { node in
            guard node.type == "moov" else { return node }
            var position = -1
            return node.replacing("trak") { trak in
                position += 1
                return position == track ? trak.replacing(box, with: change) : trak
            }
        }
        return InMemoryMovie(nodes.flatMap(\.bytes))
    }

    @Test(arguments: ["stsd", "stsz", "stts", "stsc", "minf"])
    func theOtherTrackIsRead(_ box: String) async throws {
        let file = try await movie(track: 1, box) { box in
            // The size stays the same, because sample offsets depend on the sizes of the preceding boxes.
            box.type == "stsd"
                ? BoxNode(full: "stsd", [0]) : BoxNode("free", [UInt8](repeating: 0, count: box.bytes.count - 8))
        }
        let refusal = #expect(throws: ISOBMFFError.self) { try MovieIndex.read(from: file) }
        #expect(refusal?.code == .invalid)
        let index = try MovieIndex.read(from: file, damagedTracks: .leaveOut)
        #expect(index.tracks.map(\.track.mediaType) == [.video, .audio])
        #expect(index.tracks[0].samples.count == 50)
        #expect(index.tracks[1].samples.count == 0)
        guard case .unsupported(_, let reason) = index.tracks[1].codec else {
            Issue.record("a damaged track is taken for a sound one")
            return
        }
        #expect(reason == refusal?.description)
    }

    @Test func aTrackOfUnknownKindIsNamed() async throws {
        let file = try await movie(track: 1, "tkhd") { _ in nil }
        let index = try MovieIndex.read(from: file, damagedTracks: .leaveOut)
        #expect(index.tracks.map(\.track.mediaType) == [.video])
        #expect(index.unreadTracks.count == 1)
        #expect(index.unreadTracks.first?.contains("tkhd") == true)
    }

    /// A truncated film must not appear to be complete.
    @Test func aFileThatEndsEarlyIsStillRefused() async throws {
        let file = try await movie(track: 1, "stco") { $0.setting(.max - 5, at: 8) }
        let error = #expect(throws: ISOBMFFError.self) { try MovieIndex.read(from: file, damagedTracks: .leaveOut) }
        #expect(error?.code == .truncated)
    }

    @Test(arguments: ["auxl", "chap"])
    func tracksThatBelongToAnotherAreAuxiliary(_ reference: String) async throws {
        // An alpha plane refers to its video; a video refers to the images of its chapters.
        let referring = reference == "auxl" ? 1 : 0
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.brief.path())).map { node in
            guard node.type == "moov" else { return node }
            var position = -1
            return node.replacing("trak") { trak in
                position += 1
                guard position == referring else { return trak }
                var changed = trak
                let other = UInt32(referring == 0 ? 2 : 1)
                changed.children.append(BoxNode("tref", BoxNode(reference, bigEndian([other])).bytes))
                return changed
            }
        }
        let index = try MovieIndex.read(from: InMemoryMovie(nodes.flatMap(\.bytes)))
        #expect(index.tracks.map(\.isAuxiliary) == [false, true])
    }
}
