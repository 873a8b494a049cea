import Codecs
import MediaCore
package import NIOCore

/// The receiving end of a session's RTP: it takes packets and puts out units on a common timeline.
///
/// It is a pure value, confined to its owner. Events are appended to an array that the caller keeps, so that packets
/// in the middle of a frame cost no allocation beyond the reference to their bytes.
package struct RTPReception: Sendable {
    struct Context {
        var trackIndex: Int
        var arrival: NIODeadline
    }

    private var receivers: [TrackReceiver]
    private var timeline: RTPTimeline
    /// Antena's own SSRC, for receiver reports.
    private let source: UInt32
    /// Reports that came before their track had a place on the timeline, such as ffmpeg's first one.
    private var earlyReports: [(report: RTCPSenderReport, arrival: NIODeadline)?]

    /// - Parameters:
    ///   - formats: the tracks' payload formats.
    ///   - reorderings: one policy for gaps per track.
    ///   - source: Antena's own SSRC.
    package init(formats: [RTPTrackFormat], reorderings: [JitterBuffer.Reordering], source: UInt32) {
        precondition(formats.count == reorderings.count, "each track has a reordering policy")
        receivers = zip(formats, reorderings).map { TrackReceiver(format: $0, reordering: $1) }
        timeline = RTPTimeline(
            clocks: formats.map { RTPTimeline.Clock(rate: $0.clockRate, isReordered: $0.isReordered) })
        self.source = source
        earlyReports = Array(repeating: nil, count: formats.count)
    }

    /// - Parameters:
    ///   - buffer: one RTP packet.
    ///   - trackIndex: the position of the track among the announced ones.
    ///   - arrival: when the packet arrived.
    ///   - events: the events of the packet are appended to it.
    package mutating func receiveRTP(
        _ buffer: ByteBuffer, trackIndex: Int, arrival: NIODeadline, into events: inout [RTPReceptionEvent]
    ) {
        var buffer = buffer
        do throws(RTPParsingError) {
            let packet = try RTPPacket(parsing: &buffer)
            guard packet.payloadType == receivers[trackIndex].format.payloadType else {
                events.append(
                    .fault(
                        RTPFault(
                            .unexpectedPayloadType(packet.payloadType), trackIndex: trackIndex,
                            packet: packet.identity)))
                return
            }
            receivers[trackIndex].receive(
                packet, context: Context(trackIndex: trackIndex, arrival: arrival), timeline: &timeline,
                into: &events)
            if let (report, arrival) = earlyReports[trackIndex] {
                receive(report, trackIndex: trackIndex, arrival: arrival, into: &events)
            }
        } catch {
            events.append(.fault(RTPFault(.parsing(error), trackIndex: trackIndex, packet: error.packet)))
        }
    }

    /// - Parameters:
    ///   - buffer: one compound RTCP packet.
    ///   - trackIndex: the position of the track among the announced ones.
    ///   - arrival: when the packet arrived.
    ///   - events: the events of the packet are appended to it.
    package mutating func receiveRTCP(
        _ buffer: ByteBuffer, trackIndex: Int, arrival: NIODeadline, into events: inout [RTPReceptionEvent]
    ) {
        var buffer = buffer
        do throws(RTPParsingError) {
            for packet in try RTCPPacket.parseCompound(&buffer) {
                switch packet {
                case .senderReport(let report):
                    receivers[trackIndex].statistics.received(report, arrival: arrival)
                    receive(report, trackIndex: trackIndex, arrival: arrival, into: &events)
                case .bye: events.append(.bye(trackIndex: trackIndex))
                case .receiverReport, .sourceDescription, .other: break
                }
            }
        } catch {
            events.append(.fault(RTPFault(.parsing(error), trackIndex: trackIndex, packet: error.packet)))
        }
    }

    private mutating func receive(
        _ report: RTCPSenderReport, trackIndex: Int, arrival: NIODeadline, into events: inout [RTPReceptionEvent]
    ) {
        // Senders without a wall clock write zero (RFC 3550 §6.4.1).
        guard report.ntpTimestamp.rawValue != 0 else { return }
        guard let pair = timeline.receive(report, trackIndex: trackIndex) else {
            earlyReports[trackIndex] = (report, arrival)
            return
        }
        earlyReports[trackIndex] = nil
        let timescale = Timescale(receivers[trackIndex].format.clockRate)
        events.append(
            .wallClock(
                nanosecondsSince1970: pair.nanosecondsSince1970,
                mediaTime: MediaTime(value: pair.mediaTime, timescale: timescale), trackIndex: trackIndex,
                arrival: arrival))
    }

    /// Gives up overdue packets of all tracks, including those on which nothing arrives any more.
    package mutating func flushOverdue(now: NIODeadline, into events: inout [RTPReceptionEvent]) {
        for index in receivers.indices {
            receivers[index].flushOverdue(
                context: Context(trackIndex: index, arrival: now), timeline: &timeline, into: &events)
        }
    }

    /// A receiver report with Antena's canonical name, both of which RFC 3550 §6.1 requires; `nil` before the first
    /// packet.
    package mutating func makeReceiverReport(trackIndex: Int, now: NIODeadline) -> ByteBuffer? {
        guard let block = receivers[trackIndex].statistics.makeReportBlock(now: now) else { return nil }
        var buffer = ByteBuffer()
        RTCPPacket.receiverReport(RTCPReceiverReport(source: source, blocks: [block])).write(into: &buffer)
        RTCPPacket.sourceDescription(source: source, canonicalName: "antena").write(into: &buffer)
        return buffer
    }

    /// Number of packets of a track that were dropped because they were late or duplicates.
    package func lateOrDuplicateCount(trackIndex: Int) -> Int {
        receivers[trackIndex].jitterBuffer.lateOrDuplicateCount
    }
}
