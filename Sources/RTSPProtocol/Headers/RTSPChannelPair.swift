/// Interleaved channel numbers of RTP and RTCP.
package struct RTSPChannelPair: Hashable, Sendable {
    package var rtp: UInt8
    package var rtcp: UInt8

    package init(rtp: UInt8, rtcp: UInt8) {
        self.rtp = rtp
        self.rtcp = rtcp
    }

    /// Parses `0-1`, or `0` for that channel and the next.
    init?(parsing value: String) {
        let parts = value.split(separator: "-").map { UInt8(digits: trimmingWhitespace($0)) }
        guard let first = parts.first, let rtp = first else { return nil }
        guard let rtcp = parts.count > 1 ? parts[1] : (rtp < .max ? rtp + 1 : nil), rtcp != rtp else { return nil }
        self.init(rtp: rtp, rtcp: rtcp)
    }
}
