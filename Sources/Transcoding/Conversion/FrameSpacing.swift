/// Spreads frames whose guessed time is not later than the previous one between the known times, so that they are not
/// lost: decoders guess the same time twice if a container has no presentation times.
struct FrameSpacing<Element> {
    /// The number of frames that decoders reorder. More in a row mean that the clock went back; they are dropped until
    /// it has caught up.
    static var maximumHeldElementCount: Int { 16 }

    /// The frame duration, in ticks.
    private let frameDuration: Int64
    private var lastTime: Int64?
    private var held: [Element] = []
    private var hasClockGoneBack = false

    init(frameDuration: Int64) { self.frameDuration = frameDuration }

    /// Adds a frame.
    ///
    /// - Parameter time: The presentation time in ticks; `nil` if it is unknown.
    /// - Returns: Frames in the order in which they arrived, with rising times.
    mutating func accept(_ element: Element, at time: Int64?) -> [(element: Element, time: Int64)] {
        guard let lastTime else {
            lastTime = time ?? 0
            return [(element, time ?? 0)]
        }
        if let time, time > lastTime {
            hasClockGoneBack = false
            let placed = placeHeld(after: lastTime, before: time)
            self.lastTime = time
            return placed + [(element, time)]
        }
        if time == nil, held.isEmpty, !hasClockGoneBack {
            self.lastTime = lastTime + frameDuration
            return [(element, lastTime + frameDuration)]
        }
        guard !hasClockGoneBack else { return [] }
        held.append(element)
        if held.count > Self.maximumHeldElementCount {
            hasClockGoneBack = true
            held = []
        }
        return []
    }

    /// Returns the frames that are held at the end of the stream, after which no time is known.
    mutating func finish() -> [(element: Element, time: Int64)] {
        lastTime.map { placeHeld(after: $0, before: nil) } ?? []
    }

    private mutating func placeHeld(after lastTime: Int64, before time: Int64?) -> [(element: Element, time: Int64)] {
        defer { held = [] }
        // The arithmetic wraps because damaged files can hold any time; a wrapped result leaves no room.
        let room = time.map { ($0 &- lastTime) / Int64(held.count + 1) } ?? frameDuration
        let distance = min(frameDuration, room)
        // The distance would be less than a tick, so there is no place.
        guard distance > 0 else { return [] }
        return held.enumerated().map { (element: $1, time: lastTime + Int64($0 + 1) * distance) }
    }
}
