import Codecs
import MediaCore
import NIOCore

/// Receives one track: orders packets, depacketizes them, and determines decode times.
struct TrackReceiver: Sendable {
    let format: RTPTrackFormat
    private(set) var jitterBuffer: JitterBuffer
    var statistics: ReceptionStatistics
    // An existential instead of an enum: a call changes the value in place and does not copy it.
    private var depacketizer: any Depacketizer
    private var decodeTimes: DecodeTimeEstimator
    /// Buffers that are kept between packets to avoid allocations.
    private var ordered: [JitterBuffer.Output] = []
    private var units: [DepacketizerOutput] = []

    init(format: RTPTrackFormat, reordering: JitterBuffer.Reordering) {
        self.format = format
        jitterBuffer = JitterBuffer(reordering: reordering)
        statistics = ReceptionStatistics(clockRate: format.clockRate)
        depacketizer = format.makeDepacketizer()
        decodeTimes =
            format.isVideo
            ? Self.decodeTimes(format.configuration, clockRate: format.clockRate)
            : DecodeTimeEstimator(reorderDepth: 0, frameDuration: 1)
    }

    /// Estimator for a video track. The default of 30 frames per second only determines the spacing of the first
    /// frames.
    private static func decodeTimes(_ configuration: CodecConfiguration?, clockRate: UInt32) -> DecodeTimeEstimator {
        let nominal = configuration?.nominalFrameRate ?? 30
        let frameRate = nominal.isFinite ? min(max(nominal, 1), 1_000) : 30
        return DecodeTimeEstimator(
            reorderDepth: configuration?.maximumReorderFrameCount ?? 0,
            frameDuration: Int64(Double(clockRate) / frameRate))
    }

    mutating func receive(
        _ packet: RTPPacket, context: RTPReception.Context, timeline: inout RTPTimeline,
        into events: inout [RTPReceptionEvent]
    ) {
        statistics.received(packet, arrival: context.arrival)
        ordered.removeAll(keepingCapacity: true)
        jitterBuffer.insert(packet, arrival: context.arrival, into: &ordered)
        drain(context, &timeline, into: &events)
    }

    mutating func flushOverdue(
        context: RTPReception.Context, timeline: inout RTPTimeline, into events: inout [RTPReceptionEvent]
    ) {
        ordered.removeAll(keepingCapacity: true)
        jitterBuffer.flushOverdue(now: context.arrival, into: &ordered)
        drain(context, &timeline, into: &events)
    }

    private mutating func drain(
        _ context: RTPReception.Context, _ timeline: inout RTPTimeline, into events: inout [RTPReceptionEvent]
    ) {
        for index in ordered.indices {
            switch ordered[index] {
            case .packet(let packet): depacketize(packet, context, &timeline, into: &events)
            case .lost(let count):
                events.append(.lost(packetCount: count, trackIndex: context.trackIndex))
                packetsLost(context, &timeline, into: &events)
            case .restarted:
                let fault = RTPFault(.restarted, trackIndex: context.trackIndex, packet: nextPacket(after: index))
                events.append(.fault(fault))
                packetsLost(context, &timeline, into: &events)
            }
        }
        // Releases the packets, because slices must not keep buffers alive longer than their frames.
        ordered.removeAll(keepingCapacity: true)
    }

    private func nextPacket(after index: Int) -> RTPPacketIdentity? {
        for case .packet(let packet) in ordered[(index + 1)...] { return packet.identity }
        return nil
    }

    private mutating func packetsLost(
        _ context: RTPReception.Context, _ timeline: inout RTPTimeline, into events: inout [RTPReceptionEvent]
    ) {
        depacketizer.packetsLost(into: &units)
        passOnUnits(after: nil, context, &timeline, into: &events)
    }

    private mutating func depacketize(
        _ packet: RTPPacket, _ context: RTPReception.Context, _ timeline: inout RTPTimeline,
        into events: inout [RTPReceptionEvent]
    ) {
        do {
            try depacketizer.receive(packet, into: &units)
        } catch {
            let fault = RTPFault(.depacketization(error), trackIndex: context.trackIndex, packet: error.packet)
            events.append(.fault(fault))
        }
        passOnUnits(after: packet.identity, context, &timeline, into: &events)
    }

    /// - Parameter packet: the packet that completed the units; `nil` if a gap did.
    private mutating func passOnUnits(
        after packet: RTPPacketIdentity?, _ context: RTPReception.Context, _ timeline: inout RTPTimeline,
        into events: inout [RTPReceptionEvent]
    ) {
        guard !units.isEmpty else { return }
        for index in units.indices {
            switch units[index] {
            case .configuration(let configuration):
                adopt(configuration)
                events.append(.configuration(configuration, trackIndex: context.trackIndex))
            case .unit(let unit):
                place(unit, packet, context, &timeline, into: &events)
            }
        }
        // Releases the units, because slices must not keep buffers alive longer than their frames.
        units.removeAll(keepingCapacity: true)
    }

    private mutating func adopt(_ configuration: CodecConfiguration) {
        guard format.isVideo else { return }
        let estimator = Self.decodeTimes(configuration, clockRate: format.clockRate)
        decodeTimes.change(reorderDepth: estimator.reorderDepth, frameDuration: estimator.frameDuration)
    }

    private mutating func place(
        _ unit: DepacketizedUnit, _ packet: RTPPacketIdentity?, _ context: RTPReception.Context,
        _ timeline: inout RTPTimeline,
        into events: inout [RTPReceptionEvent]
    ) {
        let placement = timeline.place(
            rtpTimestamp: unit.rtpTimestamp &+ UInt32(truncatingIfNeeded: unit.tickOffset),
            trackIndex: context.trackIndex, arrival: context.arrival)
        if let jump = placement.jump {
            let fault = RTPFault(
                .clockJumped(nanoseconds: jump.nanoseconds), trackIndex: context.trackIndex,
                packet: packet)
            events.append(.fault(fault))
        }
        if unit.followsGap && unit.isRandomAccessPoint { decodeTimes.restart() }
        let times = decodeTimes.next(presentationTime: placement.mediaTime)
        var accessUnit = AccessUnit(
            decodeTime: times.decodeTime, presentationTime: times.presentationTime,
            isRandomAccessPoint: unit.isRandomAccessPoint, payload: unit.payload)
        accessUnit.refersBack = unit.refersBack
        events.append(.unit(accessUnit, trackIndex: context.trackIndex))
    }
}
