/// Options of a connection.
package struct SRTOptions: Sendable, Hashable {
    /// Lengths of passphrases, as libsrt takes them.
    package static let passphraseByteCounts = 10...79
    /// Bytes of a streamid (the limit of SRT).
    package static let maximumStreamIDByteCount = 512
    /// Latencies that make sense, in milliseconds: below, nothing can be sent again; above, the buffers are too small.
    package static let latencies = 20...10_000

    /// Whether this side sends. A receiver puts packets in order itself, because libsrt would take a thread for each.
    package var isSender: Bool
    /// Time for which a lost packet is waited for, in milliseconds.
    package var latency: Int
    /// The passphrase of the encryption; `nil` for none.
    package var passphrase: String?
    /// Bytes of the key of a caller: 16, 24 or 32. A listener takes its caller's.
    package var keyByteCount = 16
    /// The streamid of a caller.
    package var streamID: String?

    package init(isSender: Bool, latency: Int, passphrase: String? = nil, streamID: String? = nil) {
        (self.isSender, self.latency, self.passphrase, self.streamID) = (isSender, latency, passphrase, streamID)
    }
}
