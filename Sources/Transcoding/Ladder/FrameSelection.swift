/// The choice of frames for a rendition whose frame rate is below the source's: a pure function of the frames' times.
struct FrameSelection {
    /// The distance between two frames at the rendition's frame rate, in ticks.
    let minimumDistance: Int64
    private var nextAllowedTime: Int64?

    init(_ rung: LadderRung, timescale: Int32) {
        self.init(frameRate: rung.frameRate, ticksPerSecond: Double(timescale))
    }

    /// - Parameters:
    ///   - frameRate: the rendition's frames per second, above zero.
    ///   - ticksPerSecond: the unit of the times.
    init(frameRate: Double, ticksPerSecond: Double) {
        minimumDistance = Int64((ticksPerSecond / frameRate).rounded())
    }

    /// Returns whether the rendition keeps a frame. The choice starts again at each GOP, so it does not depend on where
    /// encoding began, and the first frame of a GOP is in all renditions.
    ///
    /// - Parameter time: The presentation time, later than those of earlier calls.
    mutating func keeps(_ time: Int64, beginsGroup: Bool) -> Bool {
        if !beginsGroup, let allowed = nextAllowedTime, time < allowed - minimumDistance / 4 { return false }
        let allowed = beginsGroup ? time : nextAllowedTime ?? time
        nextAllowedTime = max(allowed + minimumDistance, time + minimumDistance / 2)
        return true
    }

    /// Returns the number of frames in each GOP of a chunk, as far as the sample tables tell.
    ///
    /// - Parameter times: The presentation times of the source's frames, sorted.
    func groupFrameCounts(of times: [Int64], in chunk: LadderChunk) -> [Int] {
        var selection = self
        var groups = GroupCursor(chunk)
        var counts = [Int](repeating: 0, count: chunk.groupStarts.count)
        var current = 0
        for time in times where time >= chunk.start {
            let begun = groups.group(beginningAt: time)
            current = begun ?? current
            if selection.keeps(time, beginsGroup: begun != nil) { counts[current] += 1 }
        }
        return counts
    }
}
