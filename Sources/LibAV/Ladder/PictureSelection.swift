/// Which pictures a rung keeps where the source has more than it is to have: a pure function of their times.
struct PictureSelection {
    /// Ticks.
    let minimumDistance: Int64
    private var nextAllowedTime: Int64?

    init(_ rung: LadderRung, timescale: Int32) {
        minimumDistance = Int64((Double(timescale) / rung.frameRate).rounded())
    }

    /// From each group's beginning anew: so the choice does not depend on where encoding began, and the picture that a
    /// group begins with is in all rungs.
    ///
    /// - Parameter time: above those of the calls before.
    mutating func keeps(_ time: Int64, beginsGroup: Bool) -> Bool {
        if !beginsGroup, let allowed = nextAllowedTime, time < allowed - minimumDistance / 4 { return false }
        let allowed = beginsGroup ? time : nextAllowedTime ?? time
        nextAllowedTime = max(allowed + minimumDistance, time + minimumDistance / 2)
        return true
    }

    /// Of each of a stretch's groups, as far as the sample tables tell.
    ///
    /// - Parameter times: of the source's pictures, sorted.
    func groupPictureCounts(of times: [Int64], in stretch: LadderStretch) -> [Int] {
        var selection = self
        var groups = GroupCursor(stretch)
        var counts = [Int](repeating: 0, count: stretch.groupStarts.count)
        var current = 0
        for time in times where time >= stretch.start {
            let begun = groups.group(beginningAt: time)
            current = begun ?? current
            if selection.keeps(time, beginsGroup: begun != nil) { counts[current] += 1 }
        }
        return counts
    }
}

/// Where in a stretch's groups a sequence of pictures is.
struct GroupCursor {
    private let starts: [Int64]
    private var next = 0

    init(_ stretch: LadderStretch) { starts = stretch.groupStarts }

    /// - Parameter time: of a picture, above those of the calls before.
    /// - Returns: the number of the group that it begins; `nil` where it is in the same as the one before.
    mutating func group(beginningAt time: Int64) -> Int? {
        let before = next
        while next < starts.count, starts[next] <= time { next += 1 }
        return next > before ? next - 1 : nil
    }
}
