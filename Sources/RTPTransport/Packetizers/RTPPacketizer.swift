import Codecs
package import MediaCore
package import NIOCore

/// Turns units into packets of one stream. Apart from the stream's counters it is a pure function.
package struct RTPPacketizer: Sendable {
    package private(set) var stream: RTPPacketStream
    package private(set) var format: RTPPayloadFormat
    private let timescale: Timescale
    private let limits: PacketizationLimits
    private let allocator: ByteBufferAllocator
    private var payload: Payload

    private enum Payload: Sendable {
        case h264(NALUnitPacketizer<H264PayloadSyntax>)
        case hevc(NALUnitPacketizer<HEVCPayloadSyntax>)
        case av1(AV1Packetizer)
        case frames(FramePacketizer)

        init(_ format: RTPPayloadFormat, limits: PacketizationLimits) {
            switch format {
            case .h264(let configuration):
                self = .h264(NALUnitPacketizer(parameterSets: configuration.parameterSets, limits: limits))
            case .hevc(let configuration):
                self = .hevc(NALUnitPacketizer(parameterSets: configuration.parameterSets, limits: limits))
            case .av1(let configuration):
                self = .av1(AV1Packetizer(configurationOBUs: configuration.configurationOBUs, limits: limits))
            case .aac, .opus, .foreign: self = .frames(FramePacketizer(format: format, limits: limits))
            }
        }
    }

    /// - Parameters:
    ///   - format: the payload format.
    ///   - timescale: timescale of the units' times.
    ///   - stream: the stream, whose clock must be that of the format.
    ///   - limits: size limits for packets.
    ///   - allocator: allocator for the packets' buffers.
    package init(
        format: RTPPayloadFormat, timescale: Timescale, stream: RTPPacketStream,
        limits: PacketizationLimits = .standard, allocator: ByteBufferAllocator = ByteBufferAllocator()
    ) {
        self.format = format
        self.timescale = timescale
        self.stream = stream
        self.limits = limits
        self.allocator = allocator
        payload = Payload(format, limits: limits)
    }

    /// Adopts other parameter sets of the same codec for the frames that follow.
    package mutating func update(_ format: RTPPayloadFormat) {
        self.format = format
        payload = Payload(format, limits: limits)
    }

    /// Packetizes a unit.
    ///
    /// - Parameter unit: a unit in the stream's format; one with another kind of payload does not produce packets.
    package mutating func packetize(_ unit: AccessUnit) -> RTPPacketBatch {
        let rtpTimestamp = stream.rtpTimestamp(of: MediaTime(value: unit.presentationTime, timescale: timescale))
        var batch = stream.makeBatch(capacity: capacity(for: unit), allocator: allocator)
        switch payload {
        case .h264(let packetizer):
            packetizer.packetize(unit, rtpTimestamp: rtpTimestamp, stream: &stream, into: &batch)
        case .hevc(let packetizer):
            packetizer.packetize(unit, rtpTimestamp: rtpTimestamp, stream: &stream, into: &batch)
        case .av1(let packetizer):
            packetizer.packetize(unit, rtpTimestamp: rtpTimestamp, stream: &stream, into: &batch)
        case .frames(let packetizer):
            packetizer.packetize(unit, rtpTimestamp: rtpTimestamp, stream: &stream, into: &batch)
        }
        return batch
    }

    /// Buffer size that is sufficient for the packets' headers in nearly all cases, so that the bytes are not moved
    /// again.
    private func capacity(for unit: AccessUnit) -> Int {
        let byteCount = unit.payload.byteCount
        let packetCount = byteCount / (limits.maximumPayloadByteCount - Self.largestPayloadHeaderByteCount) + 1
        var unitCount = 1
        if case .nalUnits(let units) = unit.payload { unitCount = units.count }
        let overhead =
            RTPPacketBatch.framingByteCount + RTPPacket.headerByteCount + Self.largestPayloadHeaderByteCount
        return byteCount + (packetCount + unitCount) * overhead
            + (unit.isRandomAccessPoint ? Self.parameterSetByteCount : 0)
    }

    private static let largestPayloadHeaderByteCount = 4
    /// Size of typical parameter sets in bytes, with their framing.
    private static let parameterSetByteCount = 256
}

extension H264Configuration {
    /// Parameter sets in the order in which a decoder needs them.
    fileprivate var parameterSets: [[UInt8]] { sequenceParameterSets + pictureParameterSets }
}

extension HEVCConfiguration {
    fileprivate var parameterSets: [[UInt8]] {
        videoParameterSets + sequenceParameterSets + pictureParameterSets
    }
}
