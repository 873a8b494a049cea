import NIOCore
import RTPTransport

/// The path from a playback session to its peer: channel numbers or sockets, and pacing.
///
/// A class, because a flush may make the connection writable or close it, and both call back into the session before
/// the flush returns. A struct would be under exclusive access at that time.
final class PacketDelivery {
    /// Whether a packet can be sent.
    enum Readiness: Equatable {
        case ready
        /// The connection is not writable and will report when it is.
        case blocked
        /// A burst of datagrams is spread in time, because datagrams have no back pressure.
        case notBefore(NIODeadline)
    }

    /// Does not refer to this object or to the session.
    private let output: any PlaybackOutput
    /// Transports by position in the description; `nil` if the track is not set up.
    private var transports: [PlaybackTransport?]
    private var burstStart = NIODeadline.distantPast
    private var burstByteCount = 0
    private(set) var sentByteCount = 0
    /// The reader's latest report for each track, keyed by position in the description.
    private(set) var receptionReports: [Int: RTCPReportBlock] = [:]
    private var needsFlush = false

    /// Size in bytes of a burst of datagrams, such as a key frame, before a pause of ``burstInterval``; together they
    /// amount to 52 Mbit/s. On Linux, a receiver's socket holds 200 KB by default.
    static let maximumBurstByteCount = 64 * 1_024
    static let burstInterval = TimeAmount.milliseconds(10)

    init(output: any PlaybackOutput, trackCount: Int) {
        self.output = output
        transports = Array(repeating: nil, count: trackCount)
    }

    var setUpTracks: [Int] { transports.indices.filter { transports[$0] != nil } }

    func isSetUp(_ trackIndex: Int) -> Bool { transports.indices.contains(trackIndex) && transports[trackIndex] != nil }

    /// - Returns: false if there is no such track.
    func setUp(_ trackIndex: Int, _ transport: PlaybackTransport) -> Bool {
        guard transports.indices.contains(trackIndex) else { return false }
        transports[trackIndex] = transport
        return true
    }

    func release(_ trackIndex: Int) {
        if transports.indices.contains(trackIndex) { transports[trackIndex] = nil }
    }

    /// The channel numbers for a track: the requested ones, or a free pair; `nil` if the requested ones are in use.
    func channels(wanted: (rtp: UInt8, rtcp: UInt8)?, trackIndex: Int) -> (rtp: UInt8, rtcp: UInt8)? {
        var taken: Set<UInt8> = []
        for (index, transport) in transports.enumerated() where index != trackIndex {
            if case .interleaved(let rtp, let rtcp)? = transport { taken.formUnion([rtp, rtcp]) }
        }
        if let wanted { return taken.contains(wanted.rtp) || taken.contains(wanted.rtcp) ? nil : wanted }
        // Prefers the track's own pair, because its packets are framed for it.
        let own = UInt8(clamping: 2 * min(trackIndex, 126))
        return ([own] + stride(from: UInt8(0), to: 254, by: 2)).lazy.map { (rtp: $0, rtcp: $0 + 1) }
            .first { !taken.contains($0.rtp) && !taken.contains($0.rtcp) }
    }

    /// The track whose RTCP uses a channel number; `nil` if there is none.
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

    /// Reports frames that the reader does not get because it was too slow.
    func dropped(unitCount: Int) { output.dropped(unitCount: unitCount) }

    func end(_ reason: PlaybackEndReason) { output.playbackEnded(reason) }

    /// Handles receiver reports. Other packets are ignored, and so are packets for a track that is not set up.
    func receiveRTCP(_ data: ByteBuffer, trackIndex: Int) {
        guard isSetUp(trackIndex) else { return }
        var data = data
        guard let packets = try? RTCPPacket.parseCompound(&data) else { return }
        for case .receiverReport(let report) in packets {
            if let block = report.blocks.first { receptionReports[trackIndex] = block }
        }
    }
}
