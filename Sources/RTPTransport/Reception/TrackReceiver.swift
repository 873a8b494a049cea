import Codecs
import MediaCore
import NIOCore

/// One track's way from packets to units: order, depacketizing, decode times.
struct TrackReceiver: Sendable {
    let format: RTPTrackFormat
    private(set) var jitterBuffer: JitterBuffer
    var statistics: ReceptionStatistics
    // One of the two; side by side rather than in an enum, so that they change in place and copy nothing.
    private var h264: H264Depacketizer?
    private var aac: AACDepacketizer?
    private var decodeTimes: DecodeTimeEstimator
    /// Kept between packets so that neither costs an allocation.
    private var ordered: [JitterBuffer.Output] = []
    private var units: [DepacketizerOutput] = []

    init(format: RTPTrackFormat, reordering: JitterBuffer.Reordering) {
        self.format = format
        jitterBuffer = JitterBuffer(reordering: reordering)
        statistics = ReceptionStatistics(clockRate: format.clockRate)
        switch format.payload {
        case .h264(let configuration):
            h264 = H264Depacketizer(configuration: configuration)
            decodeTimes = Self.decodeTimes(configuration, clockRate: format.clockRate)
        case .aac(let configuration, let layout):
            aac = AACDepacketizer(configuration: configuration, clockRate: format.clockRate, layout: layout)
            decodeTimes = DecodeTimeEstimator(reorderDepth: 0, frameDuration: 1)
        }
    }

    /// 30 pictures a second where nothing says: it only spaces the very first ones.
    private static func decodeTimes(_ configuration: H264Configuration?, clockRate: UInt32) -> DecodeTimeEstimator {
        let frameRate = min(max(configuration?.sequenceParameterSet.frameRate ?? 30, 1), 1_000)
        return DecodeTimeEstimator(
            reorderDepth: configuration?.sequenceParameterSet.maximumReorderFrameCount ?? 0,
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
                packetsLost()
            case .restarted:
                events.append(.restarted(trackIndex: context.trackIndex))
                packetsLost()
            }
        }
        // Slices must not outlive their pictures here.
        ordered.removeAll(keepingCapacity: true)
    }

    private mutating func packetsLost() {
        h264?.packetsLost()
        aac?.packetsLost()
    }

    private mutating func depacketize(
        _ packet: RTPPacket, _ context: RTPReception.Context, _ timeline: inout RTPTimeline,
        into events: inout [RTPReceptionEvent]
    ) {
        units.removeAll(keepingCapacity: true)
        do {
            try passOn(packet)
        } catch {
            events.append(.malformed("\(error)", trackIndex: context.trackIndex))
        }
        for index in units.indices {
            switch units[index] {
            case .configuration(let configuration):
                adopt(configuration)
                events.append(.configuration(configuration, trackIndex: context.trackIndex))
            case .unit(let unit):
                place(unit, context, &timeline, into: &events)
            }
        }
        units.removeAll(keepingCapacity: true)
    }

    private mutating func passOn(_ packet: RTPPacket) throws(DepacketizationError) {
        try h264?.receive(packet, into: &units)
        try aac?.receive(packet, into: &units)
    }

    private mutating func adopt(_ configuration: CodecConfiguration) {
        guard case .h264(let h264) = configuration else { return }
        let estimator = Self.decodeTimes(h264, clockRate: format.clockRate)
        decodeTimes.change(reorderDepth: estimator.reorderDepth, frameDuration: estimator.frameDuration)
    }

    private mutating func place(
        _ unit: DepacketizedUnit, _ context: RTPReception.Context, _ timeline: inout RTPTimeline,
        into events: inout [RTPReceptionEvent]
    ) {
        let placement = timeline.place(
            rtpTimestamp: unit.rtpTimestamp &+ UInt32(truncatingIfNeeded: unit.tickOffset),
            trackIndex: context.trackIndex, arrival: context.arrival)
        if let jump = placement.jump {
            events.append(.clockJumped(nanoseconds: jump.nanoseconds, trackIndex: context.trackIndex))
        }
        if unit.followsGap && unit.isRandomAccessPoint { decodeTimes.restart() }
        let times = decodeTimes.next(presentationTime: placement.mediaTime)
        events.append(
            .unit(
                AccessUnit(
                    decodeTime: times.decodeTime, presentationTime: times.presentationTime,
                    isRandomAccessPoint: unit.isRandomAccessPoint, payload: unit.payload),
                trackIndex: context.trackIndex))
    }
}
