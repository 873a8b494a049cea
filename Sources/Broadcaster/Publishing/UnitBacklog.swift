import MediaCore

/// The units that wait for the connection, oldest first. When there are too many, complete GOPs are dropped, never
/// single frames, so that the rest can be decoded.
struct UnitBacklog {
    struct Entry {
        var mediaType: MediaType
        var unit: AccessUnit
        /// Seconds from the start of the capture.
        var time: Double
    }

    /// The largest backlog in seconds of media. More would arrive too late to be useful; fewer than one and a half GOPs
    /// would drop a GOP at each key frame of a slow uplink.
    static let maximumDuration = 3.0
    /// The largest backlog in bytes, whatever the times say.
    static let maximumByteCount = 16 << 20
    static let maximumCount = 4_096

    private var entries: [Entry] = []
    /// The number of units at the start that have been taken; they are removed in batches.
    private var takenCount = 0
    private(set) var byteCount = 0
    private(set) var droppedFrameCount = 0
    private(set) var droppedGroupCount = 0
    private let hasVideo: Bool
    /// True if units are dropped until the next key frame, because a frame was dropped that later ones depend on.
    private(set) var waitsForKeyFrame: Bool

    /// Creates an empty backlog.
    ///
    /// - Parameter hasVideo: Whether there is a video track; it starts with a key frame.
    init(hasVideo: Bool) {
        self.hasVideo = hasVideo
        waitsForKeyFrame = hasVideo
    }

    var isEmpty: Bool { takenCount == entries.count }
    var count: Int { entries.count - takenCount }

    /// The seconds between the oldest and the newest unit.
    var duration: Double {
        guard takenCount < entries.count, let last = entries.last else { return 0 }
        return max(0, last.time - entries[takenCount].time)
    }

    /// Adds a unit, and drops the oldest GOPs if there are too many.
    mutating func append(_ entry: Entry) {
        if waitsForKeyFrame {
            guard entry.mediaType == .video, entry.unit.isRandomAccessPoint else {
                if entry.mediaType == .video { droppedFrameCount += 1 }
                return
            }
            waitsForKeyFrame = false
        }
        entries.append(entry)
        byteCount += entry.unit.payload.byteCount
        while duration > Self.maximumDuration || byteCount > Self.maximumByteCount || count > Self.maximumCount {
            dropOldestGroup()
        }
    }

    /// Removes and returns the oldest unit; `nil` if there is none.
    mutating func popFirst() -> Entry? {
        guard takenCount < entries.count else { return nil }
        let entry = entries[takenCount]
        takenCount += 1
        byteCount -= entry.unit.payload.byteCount
        // The batch is large enough to pay for moving the rest.
        if takenCount >= 64, takenCount * 2 >= entries.count {
            entries.removeFirst(takenCount)
            takenCount = 0
        }
        return entry
    }

    /// Keeps only what a viewer needs to start with, while there is no connection: the newest GOP.
    mutating func keepNewestGroup() {
        guard hasVideo else { return keepAudio(seconds: 1) }
        while let start = nextKeyFrame { drop(upTo: start) }
    }

    /// Drops what a new connection cannot start with: the rest of a GOP whose start was sent over the old one.
    mutating func dropUndecodable() {
        guard hasVideo, let first = entries[takenCount...].first(where: { $0.mediaType == .video }),
            !first.unit.isRandomAccessPoint
        else { return }
        if let start = nextKeyFrame { drop(upTo: start) } else { dropAll() }
    }

    private mutating func dropOldestGroup() {
        if !hasVideo { return keepAudio(seconds: Self.maximumDuration / 2) }
        if let start = nextKeyFrame { drop(upTo: start) } else { dropAll() }
    }

    /// The index of the next key frame after the oldest unit; `nil` if there is none.
    private var nextKeyFrame: Int? {
        entries[takenCount...].dropFirst().firstIndex { $0.mediaType == .video && $0.unit.isRandomAccessPoint }
    }

    private mutating func drop(upTo end: Int) {
        let dropped = entries[takenCount..<end]
        byteCount -= dropped.reduce(0) { $0 + $1.unit.payload.byteCount }
        let frameCount = dropped.count { $0.mediaType == .video }
        droppedFrameCount += frameCount
        if frameCount > 0 { droppedGroupCount += 1 }
        entries.removeFirst(end)
        takenCount = 0
    }

    private mutating func dropAll() {
        drop(upTo: entries.count)
        waitsForKeyFrame = hasVideo
    }

    private mutating func keepAudio(seconds: Double) {
        guard let last = entries.last else { return }
        let start = entries[takenCount...].firstIndex { $0.time >= last.time - seconds } ?? entries.count
        drop(upTo: start)
    }
}
