package import Codecs
package import MediaCore
package import NIOCore

/// What a track is sent as.
package enum RTPPayloadFormat: Sendable, Hashable {
    case h264(H264Configuration)
    case hevc(HEVCConfiguration)
    case av1(AV1Configuration)
    case aac(AACConfiguration)
    case opus(channelCount: Int)
    case foreign(ForeignCodec)

    /// `nil` where the track's parameters are not known yet, or its codec has no payload format here.
    package init?(configuration: CodecConfiguration?, foreignCodec: ForeignCodec?) {
        if let foreignCodec {
            self = .foreign(foreignCodec)
        } else if case .h264(let configuration)? = configuration {
            self = .h264(configuration)
        } else if case .hevc(let configuration)? = configuration {
            self = .hevc(configuration)
        } else if case .av1(let configuration)? = configuration {
            self = .av1(configuration)
        } else if case .aac(let configuration)? = configuration {
            self = .aac(configuration)
        } else if case .opus(let configuration)? = configuration, configuration.channelMapping == nil {
            self = .opus(channelCount: configuration.channelCount)
        } else {
            return nil
        }
    }

    package var mediaType: MediaType {
        switch self {
        case .h264, .hevc, .av1: .video
        case .aac, .opus: .audio
        case .foreign(let codec): codec.isVideo ? .video : .audio
        }
    }

    /// A reader that was told of this format understands packets of the other: they carry all that differs.
    package func isContinued(by other: RTPPayloadFormat) -> Bool {
        switch (self, other) {
        case (.h264, .h264), (.hevc, .hevc), (.av1, .av1): true
        default: self == other
        }
    }

    /// The clock that the payload format prescribes, whatever the track's own is.
    package var clock: Timescale {
        switch self {
        case .h264, .hevc, .av1: .video90kHz
        case .aac(let configuration): Self.clock(ofSampleRate: configuration.sampleRate)
        // RFC 7587 §4.1: whatever is sampled.
        case .opus: Timescale(48_000)
        case .foreign(let codec): Self.clock(of: codec)
        }
    }

    private static func clock(of codec: ForeignCodec) -> Timescale {
        switch codec {
        case .pcmMuLaw(let rate, _), .pcmALaw(let rate, _), .linearPCM(let rate, _): clock(ofSampleRate: rate)
        case .g722, .adaptiveMultiRate: Timescale(8_000)
        case .mpegAudio, .h263, .vp8, .vp9: .video90kHz
        }
    }

    private static func clock(ofSampleRate rate: Int) -> Timescale {
        Timescale(checking: UInt32(clamping: rate)) ?? Timescale(8_000)
    }
}

/// Units as packets of one stream, pure but for the stream's numbers.
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
    ///   - timescale: of the units' times.
    ///   - stream: whose clock is the format's.
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

    /// Other parameter sets of the same codec, for the pictures that follow.
    package mutating func update(_ format: RTPPayloadFormat) {
        self.format = format
        payload = Payload(format, limits: limits)
    }

    /// - Parameter unit: of the format; one whose payload is of another kind makes no packets.
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

    /// Enough for the packets' headers in all but odd cases, so that the bytes are not moved again.
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
    /// Of the usual ones, with their framing.
    private static let parameterSetByteCount = 256
}

extension H264Configuration {
    /// In the order in which a decoder needs them.
    fileprivate var parameterSets: [[UInt8]] { sequenceParameterSets + pictureParameterSets }
}

extension HEVCConfiguration {
    fileprivate var parameterSets: [[UInt8]] {
        videoParameterSets + sequenceParameterSets + pictureParameterSets
    }
}
