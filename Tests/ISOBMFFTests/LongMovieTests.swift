import ISOBMFF
import NIOCore
import Synchronization
import TestSupport
import Testing

/// Memory of the index, and size of single reads, for eight hours of video and two audio tracks.
struct LongMovieTests {
    private static let seconds = 8 * 3_600
    private static let videoFrameCount = seconds * 30
    private static let audioFrameCount = seconds * 48_000 / 1_024

    /// A movie whose gaps read as zeros, and which records the largest read.
    private final class MeasuredMovie: RandomAccessData {
        let movie: InMemoryMovie
        let largestRead = Mutex(0)
        var byteCount: Int64 { movie.byteCount }

        init(_ movie: InMemoryMovie) { self.movie = movie }

        func read(at offset: Int64, count: Int) throws -> ByteBuffer {
            largestRead.withLock { $0 = max($0, count) }
            return try movie.read(at: offset, count: count)
        }
    }

    /// The tracks of the brief fixture with longer tables; the second audio track is a copy of the first.
    private static func movie() async throws -> (MeasuredMovie, movieByteCount: Int) {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.brief.path()))
        let movie = try #require(nodes.first { $0.type == "moov" })
        let tracks = movie.children.filter { $0.type == "trak" }
        let video = lengthened(tracks[0], count: videoFrameCount, size: 60_000, perChunk: 30)
            .replacing("ctts") { _ in
                BoxNode(
                    full: "ctts",
                    [UInt32(videoFrameCount)] + (0..<UInt32(videoFrameCount)).flatMap { [1, $0 % 4 * 512] })
            }
            .replacing("stss") { _ in
                let numbers = stride(from: 1, through: UInt32(videoFrameCount), by: 60)
                return BoxNode(full: "stss", [UInt32(Array(numbers).count)] + numbers)
            }
        let audio = lengthened(tracks[1], count: audioFrameCount, size: 341, perChunk: 47)
        var long = movie
        long.children = movie.children.filter { $0.type != "trak" } + [video, audio, audio]
        let bytes = nodes.prefix { $0.type != "moov" }.flatMap(\.bytes) + long.bytes
        return (MeasuredMovie(InMemoryMovie(bytes, claimedByteCount: 60 << 30)), long.bytes.count)
    }

    private static func lengthened(_ track: BoxNode, count: Int, size: UInt32, perChunk: Int) -> BoxNode {
        let chunkCount = (count + perChunk - 1) / perChunk
        return track.replacing("stts") { _ in BoxNode(full: "stts", [1, UInt32(count), 512]) }
            .replacing("stsz") { _ in
                BoxNode(full: "stsz", [0, UInt32(count)] + (0..<UInt32(count)).map { size + $0 % 100 })
            }
            .replacing("stsc") { _ in BoxNode(full: "stsc", [1, 1, UInt32(perChunk), 1]) }
            .replacing("stco") { _ in
                let offsets = (0..<UInt64(chunkCount)).map { $0 * 2_000_000 % (50 << 30) }
                let fields = offsets.flatMap { [UInt32($0 >> 32), UInt32(truncatingIfNeeded: $0)] }
                return BoxNode(full: "co64", [UInt32(chunkCount)] + fields)
            }
    }

    @Test(.timeLimit(.minutes(2))) func takesFewBytesASampleAndReadsPieceByPiece() async throws {
        let (file, movieByteCount) = try await Self.movie()
        let index = try MovieIndex.read(from: file)
        let sampleCount = index.tracks.reduce(0) { $0 + $1.samples.count }
        #expect(sampleCount == Self.videoFrameCount + 2 * Self.audioFrameCount)
        let bytesPerSample = Double(index.memoryByteCount) / Double(sampleCount)
        // The requirement is at most 40 bytes per sample; with 64-bit offsets it would be 17 for video and 12 for
        // audio.
        #expect(bytesPerSample <= 16, "\(bytesPerSample) bytes a sample")
        #expect(movieByteCount > 10 << 20)
        let largest = file.largestRead.withLock { $0 }
        #expect(largest <= 128 << 10, "the movie box is read piece by piece, and is in memory nowhere else")
    }
}
