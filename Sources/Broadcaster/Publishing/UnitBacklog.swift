import MediaCore

/// Units that wait for the connection, oldest first. When they get too many, whole groups of pictures go, never single
/// pictures: what stays can be decoded.
struct UnitBacklog {
    struct Entry {
        var mediaType: MediaType
        var unit: AccessUnit
        /// Seconds from the start of the capture.
        var time: Double
    }

    /// Seconds of media. More would be shown so late that nobody gains by it; fewer than a group and a half would drop
    /// a group at each key frame of a slow line.
    static let maximumDuration = 3.0
    /// Whatever the times say.
    static let maximumByteCount = 16 << 20
    static let maximumCount = 4_096

    private var entries: [Entry] = []
    /// Of those that have been taken; they are removed now and then.
    private var takenCount = 0
    private(set) var byteCount = 0
    private(set) var droppedPictureCount = 0
    private(set) var droppedGroupCount = 0
    private let hasPictures: Bool
    /// What has been dropped last was a picture that others build on.
    private(set) var waitsForKeyFrame: Bool

    /// - Parameter hasPictures: whether there is a video track; it begins with a key frame.
    init(hasPictures: Bool) {
        self.hasPictures = hasPictures
        waitsForKeyFrame = hasPictures
    }

    var isEmpty: Bool { takenCount == entries.count }
    var count: Int { entries.count - takenCount }

    /// Seconds between the oldest and the newest.
    var duration: Double {
        guard takenCount < entries.count, let last = entries.last else { return 0 }
        return max(0, last.time - entries[takenCount].time)
    }

    mutating func append(_ entry: Entry) {
        if waitsForKeyFrame {
            guard entry.mediaType == .video, entry.unit.isRandomAccessPoint else {
                if entry.mediaType == .video { droppedPictureCount += 1 }
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

    mutating func popFirst() -> Entry? {
        guard takenCount < entries.count else { return nil }
        let entry = entries[takenCount]
        takenCount += 1
        byteCount -= entry.unit.payload.byteCount
        // Moving the rest costs what has been taken before.
        if takenCount >= 64, takenCount * 2 >= entries.count {
            entries.removeFirst(takenCount)
            takenCount = 0
        }
        return entry
    }

    /// Without a connection only what a viewer needs to begin with is kept: the newest group of pictures.
    mutating func keepNewestGroup() {
        guard hasPictures else { return keepSound(seconds: 1) }
        while let start = nextKeyFrame { drop(upTo: start) }
    }

    /// What a new connection can begin with: not the rest of a group whose beginning went over the old one.
    mutating func dropUndecodable() {
        guard hasPictures, let first = entries[takenCount...].first(where: { $0.mediaType == .video }),
            !first.unit.isRandomAccessPoint
        else { return }
        if let start = nextKeyFrame { drop(upTo: start) } else { dropAll() }
    }

    private mutating func dropOldestGroup() {
        if !hasPictures { return keepSound(seconds: Self.maximumDuration / 2) }
        if let start = nextKeyFrame { drop(upTo: start) } else { dropAll() }
    }

    /// Of the next group behind the oldest unit.
    private var nextKeyFrame: Int? {
        entries[takenCount...].dropFirst().firstIndex { $0.mediaType == .video && $0.unit.isRandomAccessPoint }
    }

    private mutating func drop(upTo end: Int) {
        let dropped = entries[takenCount..<end]
        byteCount -= dropped.reduce(0) { $0 + $1.unit.payload.byteCount }
        let pictureCount = dropped.count { $0.mediaType == .video }
        droppedPictureCount += pictureCount
        if pictureCount > 0 { droppedGroupCount += 1 }
        entries.removeFirst(end)
        takenCount = 0
    }

    private mutating func dropAll() {
        drop(upTo: entries.count)
        waitsForKeyFrame = hasPictures
    }

    private mutating func keepSound(seconds: Double) {
        guard let last = entries.last else { return }
        let start = entries[takenCount...].firstIndex { $0.time >= last.time - seconds } ?? entries.count
        drop(upTo: start)
    }
}
