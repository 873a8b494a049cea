package import Codecs
import ISOBMFF
package import MediaCore
package import NIOCore

/// A sample that stands in for missing media, silence or a still image, and is repeated.
package struct FillerSample: Sendable {
    package var payload: SamplePayload
    /// The usual duration of a sample, in ticks of the track's timescale.
    package var duration: Int64
    /// True if a sample may be shorter, so that a segment ends exactly where it has to.
    package var isDivisible: Bool
}

extension FillerSample {
    /// Silence for a track; `nil` if the codec's silence is not known.
    package init?(silenceFor configuration: CodecConfiguration, timescale: Timescale) {
        guard let silence = configuration.silentFrame, let sampleRate = configuration.audioSampleRate else {
            return nil
        }
        let ticks = Int64(silence.sampleCount) * Int64(timescale.ticksPerSecond) / Int64(max(1, sampleRate))
        self.init(payload: .frame(ByteBuffer(bytes: silence.bytes)), duration: max(1, ticks), isDivisible: false)
    }

    /// A video configuration for a still image.
    ///
    /// H.264 says how long a frame lasts. GStreamer's HLS demuxer (`playbin3`) believes it, sees a gap after each
    /// image that lasts longer, and passes the gap on before the first image; the player then shows nothing for as long
    /// as the channel's timeline has lasted.
    package static func configuration(
        _ configuration: CodecConfiguration, frameDuration: MediaTime
    ) -> CodecConfiguration {
        guard case .h264(let h264) = configuration else { return configuration }
        let milliseconds = UInt32(clamping: max(1, frameDuration.converted(to: .milliseconds).value))
        return .h264(h264.retimed(frameMilliseconds: milliseconds))
    }

    /// A still image for a track.
    ///
    /// - Parameters:
    ///   - keyFrame: a sample of the track at which decoding can start, as `mdat` holds it.
    ///   - configuration: the track's codec configuration.
    ///   - duration: the duration of one repetition.
    package init(keyFrame: ByteBuffer, configuration: CodecConfiguration, duration: MediaTime) {
        let payload: SamplePayload
        switch configuration {
        case .h264:
            payload = Self.repeatable(keyFrame, configuration, delimiter: [0x09, 0x10]) {
                H264NALUnitType(headerByte: $0) == .accessUnitDelimiter
            } isParameterSet: {
                [.sequenceParameterSet, .pictureParameterSet].contains(H264NALUnitType(headerByte: $0))
            }
        case .hevc:
            payload = Self.repeatable(keyFrame, configuration, delimiter: [0x46, 0x01, 0x10]) {
                HEVCNALUnitType.type(headerByte: $0) == HEVCNALUnitType.accessUnitDelimiter
            } isParameterSet: {
                HEVCNALUnitType.parameterSets.contains(HEVCNALUnitType.type(headerByte: $0))
            }
        default: payload = .frame(keyFrame)
        }
        self.init(payload: payload, duration: max(1, duration.value), isDivisible: true)
    }

    /// The key frame with an access unit delimiter in front (ITU-T H.264 §7.4.1.2.3, H.265 §7.4.2.4.4): the same IDR
    /// picture twice would be taken for one picture, because `idr_pic_id` is the same. Parameter sets follow the
    /// delimiter, for players that read a playlist's first initialization section only; see ``MediaCore/AccessUnit``'s
    /// `withParameterSets(of:)`.
    private static func repeatable(
        _ keyFrame: ByteBuffer, _ configuration: CodecConfiguration, delimiter: [UInt8],
        isDelimiter: (UInt8) -> Bool, isParameterSet: (UInt8) -> Bool
    ) -> SamplePayload {
        let parameterSets = configuration.parameterSets
        // Without those that the packager or an earlier repetition has put in front.
        let units = FragmentedNALUnit.units(inSample: keyFrame).filter { unit in
            unit.firstByte.map { !isDelimiter($0) && !isParameterSet($0) } == true
        }
        let added = ([delimiter] + parameterSets).map { FragmentedNALUnit(ByteBuffer(bytes: $0)) }
        guard case .hevc = configuration else { return .nalUnits(added + units) }
        return .nalUnits(added + units.map(withBrokenLink))
    }

    /// The NAL unit of an HEVC key frame, as a BLA picture if it was a CRA picture (ITU-T H.265 §7.4.2.2): the picture
    /// order count of a CRA picture continues from the frame before it, so that decoders refuse its repetition
    /// ("Duplicate POC in a sequence"). Both have the same syntax. x265's key frames are CRA pictures by default.
    private static func withBrokenLink(_ unit: FragmentedNALUnit) -> FragmentedNALUnit {
        guard let first = unit.firstByte, HEVCNALUnitType.type(headerByte: first) == HEVCNALUnitType.cleanRandomAccess
        else { return unit }
        var bytes = unit.bytes()
        bytes[0] = first & 0x81 | HEVCNALUnitType.brokenLinkWithoutLeadingPictures << 1
        return FragmentedNALUnit(ByteBuffer(bytes: bytes))
    }
}

extension FragmentedNALUnit {
    /// Splits a sample into NAL units with four-byte lengths (ISO/IEC 14496-15 §5.3.2). An invalid length ends the
    /// list.
    static func units(inSample bytes: ByteBuffer) -> [FragmentedNALUnit] {
        var bytes = bytes
        var units: [FragmentedNALUnit] = []
        while let unit = bytes.readLengthPrefixedSlice(as: UInt32.self) { units.append(FragmentedNALUnit(unit)) }
        return units
    }
}

extension LiveSegment {
    /// The newest sample of a video segment at which decoding can start, if a part begins with it; `nil` otherwise.
    package var newestKeyFrame: ByteBuffer? { parts.last(where: \.isIndependent)?.keyFrame }
}

extension PartialSegment {
    /// The first sample, if decoding can start there; `nil` otherwise. It shares the part's memory.
    package var keyFrame: ByteBuffer? {
        guard isIndependent, let first = samples.first else { return nil }
        return media.getSlice(at: media.readerIndex, length: Int(first.byteCount))
    }
}
