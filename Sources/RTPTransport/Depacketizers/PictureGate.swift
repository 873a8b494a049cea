import MediaCore
import NIOCore

/// Decides which pictures are passed on according to the loss policy. All video depacketizers use it.
struct PictureGate: Sendable {
    private let policy: PacketLossPolicy
    /// Whether pictures are dropped until decoding can start again.
    private(set) var isWaiting = true
    private var hasGap = false

    init(_ policy: PacketLossPolicy) { self.policy = policy }

    /// Reports that a picture is incomplete and that later pictures refer to it.
    mutating func pictureDamaged() {
        hasGap = true
        if policy == .dropUntilRandomAccess { isWaiting = true }
    }

    /// - Returns: `nil` if the picture must be dropped; otherwise whether pictures before it were dropped.
    mutating func pass(isRandomAccessPoint: Bool, isDamaged: Bool = false) -> Bool? {
        guard !isDamaged, isRandomAccessPoint || !isWaiting else {
            hasGap = true
            return nil
        }
        isWaiting = false
        defer { hasGap = false }
        return hasGap
    }

    /// - Returns: the picture as a unit; `nil` if it must be dropped.
    mutating func pass(
        _ frame: ByteBuffer, rtpTimestamp: UInt32, isRandomAccessPoint: Bool, isDamaged: Bool
    ) -> DepacketizedUnit? {
        guard let followsGap = pass(isRandomAccessPoint: isRandomAccessPoint, isDamaged: isDamaged) else { return nil }
        return DepacketizedUnit(
            rtpTimestamp: rtpTimestamp, tickOffset: 0, isRandomAccessPoint: isRandomAccessPoint,
            followsGap: followsGap, payload: .frame(frame))
    }
}
