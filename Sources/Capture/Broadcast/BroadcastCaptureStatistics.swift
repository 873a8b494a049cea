/// The counts of a capture since its start.
public struct BroadcastCaptureStatistics: Hashable, Sendable {
    /// Frames that were captured, before the preset's frame rate drops any.
    public var capturedPictureCount = 0
    /// Frames that were passed on.
    public var encodedPictureCount = 0
    /// Frames that were dropped because their time had passed: this machine is too slow.
    public var latePictureCount = 0

    /// Creates counts of zero.
    public init() {}
}
