import Codecs
import ISOBMFF
import MediaCore
import NIOCore

/// A segment of fragmented MP4 behind its initialization section, taken apart into access units.
struct FragmentedSegment {
    struct SegmentTrack {
        var mediaType: MediaType
        var timescale: Timescale
        var configuration: CodecConfiguration
        var units: [AccessUnit]
    }

    /// Bytes in memory, as a file.
    private struct Memory: RandomAccessData {
        var bytes: ByteBuffer

        var byteCount: Int64 { Int64(bytes.readableBytes) }

        func read(at offset: Int64, count: Int) throws -> ByteBuffer {
            guard offset >= 0, count >= 0, let start = Int(exactly: offset),
                let slice = bytes.getSlice(at: bytes.readerIndex + start, length: count)
            else { throw CodecError(.truncated, in: "segment", "ends too early") }
            return slice
        }
    }

    private static let maximumNALUnitCount = 512

    let tracks: [SegmentTrack]

    /// - Parameters:
    ///   - initialization: the initialization section.
    ///   - segment: the segment.
    /// - Throws: an error for what is no such segment.
    init(_ initialization: ByteBuffer, _ segment: ByteBuffer) throws {
        var whole = initialization
        whole.writeImmutableBuffer(segment)
        let memory = Memory(bytes: whole)
        let index = try MovieIndex.read(from: memory, damagedTracks: .leaveOut)
        let starts = FragmentStarts(segment)
        tracks = try index.tracks.compactMap { movie in
            guard let configuration = movie.configuration, !movie.samples.byteCounts.isEmpty else { return nil }
            var time = starts.times[movie.track.id] ?? 0
            var durations = movie.samples.durations.makeIterator()
            var units: [AccessUnit] = []
            units.reserveCapacity(movie.samples.count)
            for sample in 0..<movie.samples.count {
                let bytes = try memory.read(
                    at: movie.samples.offsets[sample], count: Int(movie.samples.byteCounts[sample]))
                let payload = try Self.payload(bytes, configuration)
                units.append(
                    AccessUnit(
                        decodeTime: time,
                        presentationTime: time.addingSaturating(Int64(movie.samples.compositionOffset(of: sample))),
                        isRandomAccessPoint: movie.samples.isSync(sample), payload: payload))
                time = time.addingSaturating(Int64(durations.next() ?? 0))
            }
            return SegmentTrack(
                mediaType: movie.track.mediaType, timescale: movie.track.timescale, configuration: configuration,
                units: units)
        }
    }

    private static func payload(_ bytes: ByteBuffer, _ configuration: CodecConfiguration) throws -> SamplePayload {
        switch configuration {
        case .h264, .hevc:
            var (bytes, units) = (bytes, [FragmentedNALUnit]())
            while bytes.readableBytes > 0 {
                guard let length = bytes.readInteger(as: UInt32.self), let unit = bytes.readSlice(length: Int(length)),
                    units.count < maximumNALUnitCount
                else { throw CodecError(.truncated, in: "sample", "a NAL unit is longer than its sample") }
                if unit.readableBytes > 0 { units.append(FragmentedNALUnit(unit)) }
            }
            return .nalUnits(units)
        default: return .frame(bytes)
        }
    }
}
