import MediaCore
import NIOCore

/// The units since the last key frame, so that a reader who comes in the middle of a group of pictures starts at its
/// beginning.
struct KeptUnits: Sendable {
    /// Six seconds of 5 Mbit/s. Groups beyond it are not kept: new readers wait for the next one.
    static let maximumByteCount = 4 << 20

    private(set) var units: [LiveUnit] = []
    private var byteCount = 0
    private var isKeeping = false
    /// The first video track; sound alone needs no start.
    private let leadingTrack: Int?

    init(tracks: [LiveReaderTrack]) {
        leadingTrack = tracks.firstIndex { $0.track.mediaType == .video }
    }

    mutating func append(_ unit: LiveUnit) {
        if unit.trackIndex == leadingTrack, unit.unit.isRandomAccessPoint {
            units.removeAll(keepingCapacity: true)
            byteCount = 0
            isKeeping = true
        }
        guard isKeeping else { return }
        byteCount += unit.unit.payload.byteCount
        guard byteCount <= Self.maximumByteCount else {
            units = []
            isKeeping = false
            return
        }
        units.append(unit)
    }
}

extension AccessUnit {
    /// The same in memory of its own. A unit as it came refers to the network buffers that it came in, of which it may
    /// use little: a datagram of 1,400 bytes keeps 64 KB.
    func compacted(allocator: ByteBufferAllocator) -> AccessUnit {
        var copy = self
        var buffer = allocator.buffer(capacity: payload.byteCount)
        switch payload {
        case .frame(let frame):
            buffer.writeImmutableBuffer(frame)
            copy.payload = .frame(buffer)
        case .nalUnits(let units):
            for unit in units { unit.write(into: &buffer) }
            copy.payload = .nalUnits(
                units.compactMap { buffer.readSlice(length: $0.byteCount).map(FragmentedNALUnit.init) })
        }
        return copy
    }
}
