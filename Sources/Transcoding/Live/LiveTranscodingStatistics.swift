/// The counts of the units that a live transcoder was sent.
package struct LiveTranscodingStatistics: Hashable, Sendable {
    /// Units that were queued.
    package var acceptedUnitCount = 0
    /// Units that were dropped: the queue was full, or a video frame depends on one that was dropped.
    package var droppedUnitCount = 0
    /// Units that could not be decoded.
    package var damagedUnitCount = 0

    /// Creates counts of zero.
    package init() {}
}
