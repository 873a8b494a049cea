import Packaging

/// What a blocking playlist reload waits for (draft-pantos-hls-rfc8216bis §6.2.5.2).
package struct ReloadPosition: Sendable, Hashable {
    /// `_HLS_msn`
    package var mediaSequence: Int
    /// `_HLS_part`; without it the whole segment is meant.
    package var part: Int?

    package init(mediaSequence: Int, part: Int?) {
        self.mediaSequence = mediaSequence
        self.part = part
    }
}

extension RenditionWindow {
    /// A player that asks for a segment further ahead has lost its way.
    static let maximumSegmentAdvance = 2

    /// Whether the playlist has come as far as that. A part behind the last one of its segment is part 0 of the next.
    package func hasReached(_ position: ReloadPosition) -> Bool {
        guard let edge else { return false }
        guard let part = position.part else {
            return (listed.last?.mediaSequence ?? -1) >= position.mediaSequence
        }
        if let openSegment, openSegment.heading.mediaSequence == position.mediaSequence {
            return openSegment.parts.count > part
        }
        guard edge.mediaSequence >= position.mediaSequence else { return false }
        guard edge.mediaSequence == position.mediaSequence else { return true }
        // The last segment, and no part of the next one is there yet. One without parts is there as a whole.
        guard let last = listed.last, last.listsParts else { return true }
        return part < last.parts.count
    }

    /// Whether a player may wait for that position: not further ahead than the draft lets a server hold a request.
    ///
    /// - Parameter partTarget: seconds.
    package func mayWait(for position: ReloadPosition, partTarget: Double) -> Bool {
        guard let edge else { return true }
        let lastSegment = listed.last?.mediaSequence ?? edge.mediaSequence
        guard position.mediaSequence <= lastSegment + Self.maximumSegmentAdvance else { return false }
        guard let part = position.part, position.mediaSequence >= edge.mediaSequence else { return true }
        let lastPart = position.mediaSequence == edge.mediaSequence ? edge.part ?? -1 : -1
        return part <= lastPart + Self.advancePartLimit(partTarget: partTarget)
    }

    /// Parts (§6.2.5.2).
    static func advancePartLimit(partTarget: Double) -> Int {
        partTarget >= 1 ? 3 : Int((3 / max(partTarget, 0.1)).rounded(.up))
    }
}
