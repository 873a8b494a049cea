import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

/// Sample tables that parse but are wrong: packaging throws or succeeds, and never traps.
struct DamagedTitleTests {
    @Test(arguments: [MovieFixture.brief, .briefFragmented])
    func flippedBitsNeverTrap(_ fixture: MovieFixture) async throws {
        let path = try await fixture.path()
        let file = try MediaFile(path: path)
        let bytes = try bytesOfFile(path)
        var offset = 0
        for node in BoxNode.parse(bytes) {
            let range = offset..<(offset + node.bytes.count)
            offset = range.upperBound
            guard node.type == "moov" || node.type == "moof" else { continue }
            for bit in stride(from: range.lowerBound * 8, to: range.upperBound * 8, by: 29) {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                try package(damaged, file: file)
            }
        }
    }

    @Test(
        arguments: [
            (
                "edits that start at the end of time", "elst", 1,
                [2, .max, .max, .max, .max, 0x10000, 0x7FFF_FFFF, .max, 0, 0, 0x10000]
            ),
            ("edits that skip to the end of time", "elst", 1, [1, 0, 500, 0x7FFF_FFFF, .max, 0x10000]),
            (
                "an edit at the end of time behind an empty one", "elst", 1,
                [2, .max, .max, .max, .max, 0x10000, 0, 500, 0x7FFF_FFFF, .max, 0x10000]
            ),
            ("the longest durations", "stts", 0, [1, 1_000, .max]),
            ("no durations", "stts", 0, [1, 1_000, 0]),
            ("the largest composition offsets", "ctts", 1, [1, 1_000, 0x7FFF_FFFF]),
            ("the smallest composition offsets", "ctts", 1, [1, 1_000, 0x8000_0000]),
            ("no key frame", "stss", 0, [0]),
        ] as [(String, String, UInt32, [UInt32])])
    func extremeTablesNeverTrap(_ name: String, _ box: String, _ version: UInt32, _ words: [UInt32]) async throws {
        let path = try await MovieFixture.brief.path()
        let file = try MediaFile(path: path)
        let nodes = BoxNode.parse(try bytesOfFile(path))
        for timescale: UInt32? in [nil, 1, .max] {
            let damaged = nodes.map { node in
                guard node.type == "moov" else { return node }
                let changed = node.replacing(box) { _ in BoxNode(full: box, version: version, words) }
                guard let timescale else { return changed }
                return changed.replacing("mdhd") { $0.setting(timescale, at: 12) }
            }
            try package(damaged.flatMap(\.bytes), file: file)
        }
    }

    @Test func gigabytesWithinAMicrosecondAreRefused() async throws {
        let path = try await MovieFixture.brief.path()
        let directory = try TemporaryDirectory(label: "sparse")
        let nodes = BoxNode.parse(try bytesOfFile(path))
        let movie = try #require(nodes.first { $0.type == "moov" })
            .replacing("stsz") { _ in BoxNode(full: "stsz", [0x7000_0000, 2]) }
            .replacing("stts") { _ in BoxNode(full: "stts", [1, 2, 1]) }
            .replacing("stsc") { _ in BoxNode(full: "stsc", [1, 1, 2, 1]) }
            .replacing("stss") { _ in nil }
            .replacing("ctts") { _ in nil }
            .replacing("edts") { _ in nil }
            .replacing("mdhd") { $0.setting(.max, at: 12) }
        let sparse = try directory.write(movie.bytes, to: "sparse.mp4")
        try makeSparse(sparse, byteCount: 4 << 30)
        let file = try MediaFile(path: sparse)
        let index = try MovieIndex.read(from: file)
        let error = #expect(throws: TitlePackagingError.self) { try PackagedTitle(index: index, file: file) }
        #expect(error?.code == .segmentTooLarge)
    }

    @Test func aRateThatNoIntegerHoldsIsClamped() async throws {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.brief.path()))
        let movie = try #require(nodes.first { $0.type == "moov" })
            .replacing("stsz") { _ in BoxNode(full: "stsz", [500_000_000, 1]) }
            .replacing("stts") { _ in BoxNode(full: "stts", [1, 1, 1]) }
            .replacing("stsc") { _ in BoxNode(full: "stsc", [1, 1, 1, 1]) }
            .replacing("stss") { _ in nil }
            .replacing("ctts") { _ in nil }
            .replacing("edts") { _ in nil }
            .replacing("mdhd") { $0.setting(.max, at: 12) }
        let directory = try TemporaryDirectory(label: "sparse")
        let sparse = try directory.write(movie.bytes, to: "sparse.mp4")
        try makeSparse(sparse, byteCount: 1 << 30)
        let file = try MediaFile(path: sparse)
        let title = try PackagedTitle(index: try MovieIndex.read(from: file), file: file)
        let variant = try #require(title.multivariantPlaylist().variants.first)
        #expect(variant.bandwidth <= 2_000_000_000_000_000)
    }

    @Test func anUnsupportedCodecIsNamed() async throws {
        let path = try await MovieFixture.brief.path()
        let file = try MediaFile(path: path)
        for (type, reason) in [("avc1", "'xvid' is not packaged in place"), ("mp4a", "'xvid'")] {
            let bytes = try bytesOfFile(path)
            var damaged = bytes
            let position = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(type.utf8)) && $0 > 64 })
            damaged.replaceSubrange(position..<(position + 4), with: Array("xvid".utf8))
            let directory = try TemporaryDirectory(label: "codec")
            let other = try MediaFile(path: try directory.write(damaged, to: "other.mp4"))
            let index = try MovieIndex.read(from: other)
            let error = #expect(throws: TitlePackagingError.self) { try PackagedTitle(index: index, file: file) }
            #expect(error?.code == .unsupportedCodec)
            #expect(error?.description.contains(reason) == true)
        }
    }

    @Test func aFileWithoutTracksIsNoMedia() async throws {
        let path = try await MovieFixture.brief.path()
        let file = try MediaFile(path: path)
        var index = try MovieIndex.read(from: file)
        index.tracks = []
        let error = #expect(throws: TitlePackagingError.self) { try PackagedTitle(index: index, file: file) }
        #expect(error?.code == .noMedia)
    }

    private func package(_ bytes: [UInt8], file: MediaFile) throws {
        do {
            let index = try MovieIndex.read(from: InMemorySegment(initializationSection: ByteBuffer(), segment: bytes))
            let title = try PackagedTitle(index: index, file: file)
            _ = title.multivariantPlaylist().rendered()
            for rendition in title.renditions {
                _ = title.mediaPlaylist(of: rendition, pathPrefix: "x/").rendered()
                _ = rendition.initializationSection()
                let read = try title.segment(0, of: rendition, allocator: ByteBufferAllocator(), cachedOnly: false)
                guard case .complete(let segment)? = read else { continue }
                #expect(segment.readableBytes == rendition.segments[0].byteCount)
            }
        } catch is ISOBMFFError {
        } catch is TitlePackagingError {
        }
    }
}
