/// UDP port numbers of RTP and RTCP.
package struct RTSPPortPair: Hashable, Sendable {
    package var rtp: UInt16
    package var rtcp: UInt16

    package init(rtp: UInt16, rtcp: UInt16) {
        self.rtp = rtp
        self.rtcp = rtcp
    }

    /// Parses `5000-5001`, or `5000` for that port and the next.
    init?(parsing value: String) {
        let parts = value.split(separator: "-").map { UInt16(digits: trimmingWhitespace($0)) }
        guard let first = parts.first, let rtp = first, rtp > 0 else { return nil }
        guard let rtcp = parts.count > 1 ? parts[1] : (rtp < .max ? rtp + 1 : nil), rtcp > 0 else { return nil }
        self.init(rtp: rtp, rtcp: rtcp)
    }
}
