/// Spreads frames whose guessed time is not later than the previous one between the known times, so that they are not
/// lost: decoders guess the same time twice if a container has no presentation times.
struct PictureSpacing<Picture> {
    /// The number of frames that decoders reorder. More in a row mean that the clock went back; they are dropped until
    /// it has caught up.
    static var maximumHeldPictureCount: Int { 16 }

    /// The frame duration, in ticks.
    private let pictureDuration: Int64
    private var lastTime: Int64?
    private var held: [Picture] = []
    private var hasClockGoneBack = false

    init(pictureDuration: Int64) { self.pictureDuration = pictureDuration }

    /// Adds a frame.
    ///
    /// - Parameter time: The presentation time in ticks; `nil` if it is unknown.
    /// - Returns: Frames in the order in which they arrived, with rising times.
    mutating func accept(_ picture: Picture, at time: Int64?) -> [(picture: Picture, time: Int64)] {
        guard let lastTime else {
            lastTime = time ?? 0
            return [(picture, time ?? 0)]
        }
        if let time, time > lastTime {
            hasClockGoneBack = false
            let placed = placeHeld(after: lastTime, before: time)
            self.lastTime = time
            return placed + [(picture, time)]
        }
        if time == nil, held.isEmpty, !hasClockGoneBack {
            self.lastTime = lastTime + pictureDuration
            return [(picture, lastTime + pictureDuration)]
        }
        guard !hasClockGoneBack else { return [] }
        held.append(picture)
        if held.count > Self.maximumHeldPictureCount {
            hasClockGoneBack = true
            held = []
        }
        return []
    }

    /// Returns the frames that are held at the end of the stream, after which no time is known.
    mutating func finish() -> [(picture: Picture, time: Int64)] {
        lastTime.map { placeHeld(after: $0, before: nil) } ?? []
    }

    private mutating func placeHeld(after lastTime: Int64, before time: Int64?) -> [(picture: Picture, time: Int64)] {
        defer { held = [] }
        // The arithmetic wraps because damaged files can hold any time; a wrapped result leaves no room.
        let room = time.map { ($0 &- lastTime) / Int64(held.count + 1) } ?? pictureDuration
        let distance = min(pictureDuration, room)
        // The distance would be less than a tick, so there is no place.
        guard distance > 0 else { return [] }
        return held.enumerated().map { (picture: $1, time: lastTime + Int64($0 + 1) * distance) }
    }
}
