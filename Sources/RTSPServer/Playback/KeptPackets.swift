import RTPTransport

/// The packets since the last key frame, for readers that join in the middle of a group of pictures.
struct KeptPackets {
    /// Size limit in bytes: the units that the fan-out keeps, and their headers.
    static let maximumByteCount = 4 << 20

    private(set) var entries: [ReaderQueue.Entry] = []
    private var byteCount = 0
    private var isKeeping = false
    private let maximumByteCount: Int

    init(maximumByteCount: Int = Self.maximumByteCount) { self.maximumByteCount = maximumByteCount }

    /// - Parameter isLeading: whether the packets belong to the track whose key frames start the kept range.
    mutating func append(_ entry: ReaderQueue.Entry, isLeading: Bool) {
        if isLeading, entry.isRandomAccessPoint {
            entries.removeAll(keepingCapacity: true)
            byteCount = 0
            isKeeping = true
        }
        guard isKeeping else { return }
        byteCount += entry.batch.byteCount
        guard byteCount <= maximumByteCount else { return clear() }
        entries.append(entry)
    }

    /// Discards all packets; keeping resumes with the next key frame.
    mutating func clear() {
        entries = []
        byteCount = 0
        isKeeping = false
    }
}
