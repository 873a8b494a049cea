import NIOCore

/// Limits on the packets that are held for a reader.
struct ReaderQueueLimits: Hashable, Sendable {
    /// Size limit in bytes. Readers that wait for the same packets share them, so the limit bounds the age of the
    /// oldest packets and not the sum over all readers. It leaves room for the start of playback
    /// (``KeptPackets/maximumByteCount``) and two seconds of 16 Mbit/s after it.
    var maximumByteCount = 8 << 20
    /// Limit on a packet's waiting time; a later reader would show something other than the rest.
    var maximumDelay = TimeAmount.seconds(4)
    /// Time with losses after which a reader is dropped, because its connection is too slow.
    var maximumTimeBehind = TimeAmount.seconds(30)
    /// Time without a loss after which a reader counts as keeping up again.
    var recoveryTime = TimeAmount.seconds(10)

    static let standard = ReaderQueueLimits()
}
