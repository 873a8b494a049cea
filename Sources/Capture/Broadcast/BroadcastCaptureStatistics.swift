/// The counts of a capture since its start.
public struct BroadcastCaptureStatistics: Hashable, Sendable {
    /// Frames that were captured, before the preset's frame rate drops any.
    public var capturedFrameCount = 0
    /// Frames that were passed on.
    public var encodedFrameCount = 0
    /// Frames that were dropped because their time had passed: this machine is too slow.
    public var lateFrameCount = 0

    /// Creates counts of zero.
    public init() {}
}

// The former names, for programs that were written for them.
extension BroadcastCaptureStatistics {
    /// The former name of ``capturedFrameCount``.
    @available(*, deprecated, renamed: "capturedFrameCount")
    public var capturedPictureCount: Int { capturedFrameCount }
    /// The former name of ``encodedFrameCount``.
    @available(*, deprecated, renamed: "encodedFrameCount")
    public var encodedPictureCount: Int { encodedFrameCount }
    /// The former name of ``lateFrameCount``.
    @available(*, deprecated, renamed: "lateFrameCount")
    public var latePictureCount: Int { lateFrameCount }
}
