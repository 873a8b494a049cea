/// Gives a picture whose guessed time is not behind the last one's a place of its own between the times that are known,
/// so that it is not lost: decoders guess the same time twice where a container tells no presentation times.
struct PictureSpacing<Picture> {
    /// As many as decoders reorder. More in a row are a clock that went back, and are left out until it has caught up.
    static var maximumHeldPictureCount: Int { 16 }

    /// Ticks.
    private let pictureDuration: Int64
    private var lastTime: Int64?
    private var held: [Picture] = []
    private var hasClockGoneBack = false

    init(pictureDuration: Int64) { self.pictureDuration = pictureDuration }

    /// - Parameter time: Ticks; `nil` where nobody has a guess.
    /// - Returns: Pictures in the order in which they came, with times that rise.
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

    /// - Returns: Those at the end of the stream, behind which nothing is known.
    mutating func finish() -> [(picture: Picture, time: Int64)] {
        lastTime.map { placeHeld(after: $0, before: nil) } ?? []
    }

    private mutating func placeHeld(after lastTime: Int64, before time: Int64?) -> [(picture: Picture, time: Int64)] {
        defer { held = [] }
        let room = time.map { ($0 - lastTime) / Int64(held.count + 1) } ?? pictureDuration
        let distance = min(pictureDuration, room)
        // Finer than any clock counts: there is no place.
        guard distance > 0 else { return [] }
        return held.enumerated().map { (picture: $1, time: lastTime + Int64($0 + 1) * distance) }
    }
}
