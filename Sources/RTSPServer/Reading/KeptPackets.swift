import RTPTransport

/// The packets since the last key frame, for readers that come in the middle of a group of pictures.
struct KeptPackets {
    /// As many as the fan-out keeps units, and their headers.
    static let maximumByteCount = 4 << 20

    private(set) var entries: [ReaderQueue.Entry] = []
    private var byteCount = 0
    private var isKeeping = false
    private let maximumByteCount: Int

    init(maximumByteCount: Int = Self.maximumByteCount) { self.maximumByteCount = maximumByteCount }

    /// - Parameter isLeading: of the track whose key frames begin what is kept.
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

    /// Until the next key frame.
    mutating func clear() {
        entries = []
        byteCount = 0
        isKeeping = false
    }
}
