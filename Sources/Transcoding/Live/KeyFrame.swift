package import Codecs
package import MediaCore
package import NIOCore

/// A key frame of a publisher, in the form in which a decoder takes it without anything before it: H.264 and HEVC as a
/// byte stream with their parameter sets, AV1 with its sequence header.
package struct KeyFrame: Sendable, Hashable {
    /// The codecs of video that publishers send.
    package enum Codec: UInt8, Sendable, CaseIterable {
        case h264 = 1
        case hevc, av1, vp8, vp9, h263

        /// libav's decoders that work on one thread and without a device, the best first.
        var decoderNames: [String] {
            switch self {
            case .h264: ["h264"]
            case .hevc: ["hevc"]
            case .av1: ["libdav1d", "libaom-av1"]
            case .vp8: ["vp8"]
            case .vp9: ["vp9"]
            case .h263: ["h263"]
            }
        }
    }

    package let codec: Codec
    package let bytes: ByteBuffer

    init(codec: Codec, bytes: ByteBuffer) { (self.codec, self.bytes) = (codec, bytes) }

    /// - Parameters:
    ///   - unit: a unit of a publisher.
    ///   - configuration: the parameter sets; `nil` for foreign codecs.
    ///   - foreignCodec: the codec if HLS does not carry it.
    /// - Returns: `nil` for what is no key frame of a known codec, or lacks its parameter sets.
    package init?(_ unit: AccessUnit, _ configuration: CodecConfiguration?, _ foreignCodec: ForeignCodec? = nil) {
        guard unit.isRandomAccessPoint else { return nil }
        var bytes = ByteBuffer()
        switch (unit.payload, configuration, foreignCodec) {
        case (.nalUnits(let units), .h264?, _), (.nalUnits(let units), .hevc?, _):
            for set in configuration?.parameterSets ?? [] { Self.write(&bytes) { $0.writeBytes(set) } }
            for unit in units { Self.write(&bytes) { unit.write(into: &$0) } }
            if case .h264? = configuration { codec = .h264 } else { codec = .hevc }
        case (.frame(let frame), .av1(let av1)?, _):
            bytes.writeBytes(av1.configurationOBUs)
            bytes.writeImmutableBuffer(frame)
            codec = .av1
        case (.frame(let frame), _, .vp8?):
            bytes = frame
            codec = .vp8
        case (.frame(let frame), _, .vp9?):
            bytes = frame
            codec = .vp9
        case (.frame(let frame), _, .h263?):
            bytes = frame
            codec = .h263
        default: return nil
        }
        self.bytes = bytes
    }

    private static func write(_ bytes: inout ByteBuffer, _ unit: (inout ByteBuffer) -> Void) {
        bytes.writeBytes([0, 0, 0, 1])
        unit(&bytes)
    }
}
