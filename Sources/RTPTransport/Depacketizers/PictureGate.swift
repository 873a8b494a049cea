import MediaCore
import NIOCore

/// Decides which pictures are passed on, by the loss policy: what all video depacketizers have in common.
struct PictureGate: Sendable {
    private let policy: PacketLossPolicy
    /// Closed until decoding can start afresh.
    private(set) var isWaiting = true
    private var hasGap = false

    init(_ policy: PacketLossPolicy) { self.policy = policy }

    /// Some of a picture's bytes are missing, and pictures behind it refer to it.
    mutating func pictureDamaged() {
        hasGap = true
        if policy == .dropUntilRandomAccess { isWaiting = true }
    }

    /// - Returns: `nil` where the picture is to be dropped, else whether pictures before it were.
    mutating func pass(isRandomAccessPoint: Bool, isDamaged: Bool = false) -> Bool? {
        guard !isDamaged, isRandomAccessPoint || !isWaiting else {
            hasGap = true
            return nil
        }
        isWaiting = false
        defer { hasGap = false }
        return hasGap
    }

    /// - Returns: the picture as a unit; `nil` where it is to be dropped.
    mutating func pass(
        _ frame: ByteBuffer, rtpTimestamp: UInt32, isRandomAccessPoint: Bool, isDamaged: Bool
    ) -> DepacketizedUnit? {
        guard let followsGap = pass(isRandomAccessPoint: isRandomAccessPoint, isDamaged: isDamaged) else { return nil }
        return DepacketizedUnit(
            rtpTimestamp: rtpTimestamp, tickOffset: 0, isRandomAccessPoint: isRandomAccessPoint,
            followsGap: followsGap, payload: .frame(frame))
    }
}
