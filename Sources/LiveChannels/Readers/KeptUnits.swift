import MediaCore
import NIOCore

/// The units since the last key frame, so that a reader that arrives in the middle of a group of pictures starts at its
/// beginning.
struct KeptUnits: Sendable {
    /// Limit on the kept bytes: six seconds at 5 Mbit/s. Larger groups of pictures are not kept; new readers then wait
    /// for the next one.
    static let maximumByteCount = 4 << 20

    private(set) var units: [LiveUnit] = []
    /// The last key frame, even of a group of pictures that is too large to be kept; `nil` before the first.
    private(set) var keyFrame: LiveUnit?
    private var byteCount = 0
    private var isKeeping = false
    /// The index of the first video track; `nil` for audio only, which needs no key frame.
    private let leadingTrack: Int?

    init(tracks: [LiveReaderTrack]) {
        leadingTrack = tracks.firstIndex { $0.track.mediaType == .video }
    }

    mutating func append(_ unit: LiveUnit) {
        if unit.trackIndex == leadingTrack, unit.unit.isRandomAccessPoint {
            units.removeAll(keepingCapacity: true)
            byteCount = 0
            isKeeping = true
            keyFrame = unit
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
    /// A copy in memory of its own. A unit as it arrived refers to the network buffers in which it came, and may use
    /// little of them: a datagram of 1,400 bytes keeps 64 KB.
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
