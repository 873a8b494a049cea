import NIOCore
import RTPTransport

/// A reading session's way to its peer: over which channels or sockets, and how fast.
///
/// A class, because a flush may make the connection writable, or close it, and either calls back into the session
/// before it returns: nothing of this may be held exclusively then.
final class PacketDelivery {
    enum Readiness: Equatable {
        case ready
        /// The connection will tell.
        case blocked
        /// Datagrams have no back pressure: a burst is spread in time.
        case notBefore(NIODeadline)
    }

    /// It does not refer to us, nor to the session.
    private let output: any ReadingOutput
    /// By position in the description; `nil` where the track is not set up.
    private var transports: [ReadingTransport?]
    private var burstStart = NIODeadline.distantPast
    private var burstByteCount = 0
    private(set) var sentByteCount = 0
    /// What the reader last said of each track, by position in the description.
    private(set) var receptionReports: [Int: RTCPReportBlock] = [:]
    private var needsFlush = false

    /// A key frame, or the start at one, as datagrams: this much, then a pause, is 52 Mbit/s. A receiver's socket
    /// holds 200 KB on Linux unless it asks for more.
    static let maximumBurstByteCount = 64 * 1_024
    static let burstInterval = TimeAmount.milliseconds(10)

    init(output: any ReadingOutput, trackCount: Int) {
        self.output = output
        transports = Array(repeating: nil, count: trackCount)
    }

    var setUpTracks: [Int] { transports.indices.filter { transports[$0] != nil } }

    func isSetUp(_ trackIndex: Int) -> Bool { transports.indices.contains(trackIndex) && transports[trackIndex] != nil }

    /// - Returns: false where there is no such track.
    func setUp(_ trackIndex: Int, _ transport: ReadingTransport) -> Bool {
        guard transports.indices.contains(trackIndex) else { return false }
        transports[trackIndex] = transport
        return true
    }

    func release(_ trackIndex: Int) {
        if transports.indices.contains(trackIndex) { transports[trackIndex] = nil }
    }

    /// Pairs that are free, for a reader that leaves the choice to us; `nil` where the wanted one is taken.
    func channels(wanted: (rtp: UInt8, rtcp: UInt8)?, trackIndex: Int) -> (rtp: UInt8, rtcp: UInt8)? {
        var taken: Set<UInt8> = []
        for (index, transport) in transports.enumerated() where index != trackIndex {
            if case .interleaved(let rtp, let rtcp)? = transport { taken.formUnion([rtp, rtcp]) }
        }
        if let wanted { return taken.contains(wanted.rtp) || taken.contains(wanted.rtcp) ? nil : wanted }
        // A track's own pair first: its packets are framed for it.
        let own = UInt8(clamping: 2 * min(trackIndex, 126))
        return ([own] + stride(from: UInt8(0), to: 254, by: 2)).lazy.map { (rtp: $0, rtcp: $0 + 1) }
            .first { !taken.contains($0.rtp) && !taken.contains($0.rtcp) }
    }

    /// The track whose RTCP comes on that channel.
    func track(ofRTCPChannel channel: UInt8) -> Int? {
        transports.firstIndex { if case .interleaved(_, channel)? = $0 { true } else { false } }
    }

    func readiness(of trackIndex: Int, now: NIODeadline) -> Readiness {
        guard isSetUp(trackIndex) else { return .ready }
        switch transports[trackIndex] {
        case .udp where now < burstStart + Self.burstInterval && burstByteCount >= Self.maximumBurstByteCount:
            return .notBefore(burstStart + Self.burstInterval)
        case .interleaved where !output.isWritable: return .blocked
        case .udp, .interleaved, nil: return .ready
        }
    }

    func send(_ batch: RTPPacketBatch, trackIndex: Int, isRTCP: Bool = false, now: NIODeadline) {
        guard isSetUp(trackIndex), !batch.isEmpty else { return }
        switch transports[trackIndex] {
        case .interleaved(let rtp, let rtcp):
            output.writeInterleaved(batch.framed(channel: isRTCP ? rtcp : rtp))
        case .udp:
            if now >= burstStart + Self.burstInterval { (burstStart, burstByteCount) = (now, 0) }
            burstByteCount += batch.byteCount
            for packet in batch.packets {
                output.writeDatagram(packet, trackIndex: trackIndex, isRTCP: isRTCP)
            }
        case nil: return
        }
        sentByteCount += batch.byteCount
        needsFlush = true
    }

    func flush() {
        guard needsFlush else { return }
        needsFlush = false
        output.flush()
    }

    /// The reader does not get these: it was too slow.
    func dropped(unitCount: Int) { output.dropped(unitCount: unitCount) }

    func end(_ reason: ReadingEndReason) { output.readingEnded(reason) }

    /// Receiver reports; anything else is ignored, and so is what comes for a track that is not set up.
    func receiveRTCP(_ data: ByteBuffer, trackIndex: Int) {
        guard isSetUp(trackIndex) else { return }
        var data = data
        guard let packets = try? RTCPPacket.parseCompound(&data) else { return }
        for case .receiverReport(let report) in packets {
            if let block = report.blocks.first { receptionReports[trackIndex] = block }
        }
    }
}
