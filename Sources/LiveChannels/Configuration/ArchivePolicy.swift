/// The media that a channel keeps on disk: its time shift and its recordings.
package struct ArchivePolicy: Sendable, Hashable {
    /// Seconds that a playlist reaches back; zero for what memory holds.
    package var windowSeconds: Int
    /// True if every push is recorded, rather than only on request.
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
