import Packaging

extension RenditionWindow {
    /// Limit on how far ahead of the last segment a player may ask; a request beyond it is an error of the player.
    static let maximumSegmentAdvance = 2

    /// Returns whether the playlist has reached the position. A part after the last one of its segment is part 0 of the
    /// next.
    package func hasReached(_ position: ReloadPosition) -> Bool {
        guard let edge else { return false }
        guard let part = position.part else {
            return (listed.last?.mediaSequence ?? -1) >= position.mediaSequence
        }
        if let openSegment, openSegment.header.mediaSequence == position.mediaSequence {
            return openSegment.parts.count > part
        }
        guard edge.mediaSequence >= position.mediaSequence else { return false }
        guard edge.mediaSequence == position.mediaSequence else { return true }
        // The position is in the last segment, and no part of the next one is there yet. A segment without parts is
        // there as a whole.
        guard let last = listed.last, last.listsParts else { return true }
        return part < last.parts.count
    }

    /// Returns whether a player may wait for the position: no further ahead than the specification lets a server hold a
    /// request.
    ///
    /// - Parameters:
    ///   - position: The segment or part that a player asks for.
    ///   - partTarget: the part target duration, in seconds.
    package func mayWait(for position: ReloadPosition, partTarget: Double) -> Bool {
        guard let edge else { return true }
        let lastSegment = listed.last?.mediaSequence ?? edge.mediaSequence
        guard position.mediaSequence <= lastSegment + Self.maximumSegmentAdvance else { return false }
        guard let part = position.part, position.mediaSequence >= edge.mediaSequence else { return true }
        let lastPart = position.mediaSequence == edge.mediaSequence ? edge.part ?? -1 : -1
        return part <= lastPart + Self.advancePartLimit(partTarget: partTarget)
    }

    /// Number of parts that a player may be ahead (rfc8216bis §6.2.5.2).
    static func advancePartLimit(partTarget: Double) -> Int {
        partTarget >= 1 ? 3 : Int((3 / max(partTarget, 0.1)).rounded(.up))
    }
}
