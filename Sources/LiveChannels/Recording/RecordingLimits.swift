/// Limits on a channel's recordings; the oldest finished ones are deleted first.
package struct RecordingLimits: Sendable, Hashable {
    /// Limit on the bytes of all recordings, including the running one; `nil` for no limit.
    package var maximumByteCount: Int64?
    /// Days that a finished recording is kept; `nil` for no limit.
    package var maximumAgeDays: Int?

    package init(maximumByteCount: Int64? = nil, maximumAgeDays: Int? = nil) {
        self.maximumByteCount = maximumByteCount
        self.maximumAgeDays = maximumAgeDays
    }
}
