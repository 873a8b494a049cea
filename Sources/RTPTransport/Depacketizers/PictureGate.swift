/// Decides which pictures are passed on, by the loss policy: what all video depacketizers have in common.
struct PictureGate: Sendable {
    private let policy: PacketLossPolicy
    /// Closed until decoding can start afresh.
    private(set) var isWaiting = true
    private var hasGap = false
    /// Pictures that were not passed on.
    private(set) var droppedPictureCount = 0

    init(_ policy: PacketLossPolicy) { self.policy = policy }

    /// Some of a picture's bytes are missing, and pictures behind it refer to it.
    mutating func pictureDamaged() {
        hasGap = true
        if policy == .dropUntilRandomAccess { isWaiting = true }
    }

    /// - Returns: `nil` where the picture is to be dropped, else whether pictures before it were.
    mutating func pass(isRandomAccessPoint: Bool, isDamaged: Bool = false) -> Bool? {
        guard !isDamaged, isRandomAccessPoint || !isWaiting else {
            droppedPictureCount += 1
            hasGap = true
            return nil
        }
        isWaiting = false
        defer { hasGap = false }
        return hasGap
    }

    /// A picture that is no loss to those before and after it, because nothing refers to it.
    mutating func skip() { droppedPictureCount += 1 }
}
