/// What a channel keeps on disk: for viewers who look back, and as titles.
package struct ArchivePolicy: Sendable, Hashable {
    /// Seconds that a playlist reaches back; zero for what memory holds.
    package var windowSeconds: Int
    /// Every push is recorded, rather than those that somebody has said so of.
    package var recordsAlways: Bool
    package var recordingLimits: RecordingLimits

    package init(
        windowSeconds: Int = 0, recordsAlways: Bool = false, recordingLimits: RecordingLimits = RecordingLimits()
    ) {
        self.windowSeconds = windowSeconds
        self.recordsAlways = recordsAlways
        self.recordingLimits = recordingLimits
    }
}

/// How much of a channel's recordings is kept; the oldest finished ones go first.
package struct RecordingLimits: Sendable, Hashable {
    /// Of all of them, the one that is being made included; `nil` for as many as the disk holds.
    package var maximumByteCount: Int64?
    /// Days since a recording ended; `nil` for ever.
    package var maximumAgeDays: Int?

    package init(maximumByteCount: Int64? = nil, maximumAgeDays: Int? = nil) {
        self.maximumByteCount = maximumByteCount
        self.maximumAgeDays = maximumAgeDays
    }
}
