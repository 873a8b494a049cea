import CLibAV
import Codecs
import LibAV
import MediaCore
import NIOCore

/// Copies H.264 frames.
final class VideoCopyingRoute: BroadcastRoute {
    private let timeBase: AVRational
    private let isAnnexB: Bool
    private let control: BroadcastControl
    private let emit: (BroadcastOutput) -> Void
    private let preview: KeyFramePreview
    /// True if a key frame has been seen, at which decoding can start.
    private var hasKeyFrame = false

    /// Emits the stream's configuration.
    ///
    /// - Returns: `nil` if the stream's parameter sets cannot be used.
    init?(
        _ info: StreamInfo, of source: any PacketSource, control: BroadcastControl,
        emit: @escaping (BroadcastOutput) -> Void
    ) {
        let stream = source.stream(info)
        guard let (configuration, isAnnexB) = Self.configuration(stream.pointee.codecpar.pointee) else { return nil }
        self.isAnnexB = isAnnexB
        self.control = control
        self.emit = emit
        preview = KeyFramePreview(
            info, of: source, tap: PreviewTap(control: control, name: source.name, emit: emit))
        timeBase = stream.pointee.time_base
        emit(.configuration(.h264(configuration), BroadcastVideoEncoder.timescale))
    }

    private static func configuration(_ parameters: AVCodecParameters) -> (H264Configuration, isAnnexB: Bool)? {
        guard parameters.codec_id == AV_CODEC_ID_H264, parameters.extradata_size > 0 else { return nil }
        let header = UnsafeRawBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
        // A configuration record starts with its version (ISO/IEC 14496-15 §5.3.3.1); a byte stream starts with zeros.
        if header.first == 1 {
            return (try? H264Configuration(parsingRecord: Array(header))).map { ($0, false) }
        }
        return (try? H264Configuration(byteStream: header)).map { ($0, true) }
    }

    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
        guard let packet, let ticks = packet.presentationTime ?? packet.decodeTime else { return }
        let isKeyFrame = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        hasKeyFrame = hasKeyFrame || isKeyFrame
        guard hasKeyFrame else { return }
        let units = isAnnexB ? Self.byteStreamUnits(packet.bytes) : Self.lengthPrefixedUnits(packet.bytes)
        guard !units.isEmpty else { return }
        func time(_ ticks: Int64) -> Int64 {
            let shown = rescale(ticks, from: timeBase, to: microseconds) &+ shift
            return MediaTime(value: shown, timescale: .microseconds).converted(to: BroadcastVideoEncoder.timescale)
                .value
        }
        control.count { statistics in
            statistics.capturedFrameCount += 1
            statistics.encodedFrameCount += 1
        }
        emit(
            .unit(
                .video,
                AccessUnit(
                    decodeTime: time(packet.decodeTime ?? ticks), presentationTime: time(ticks),
                    isRandomAccessPoint: isKeyFrame, payload: .nalUnits(units))))
        if isKeyFrame { preview.show(packet, at: rescale(ticks, from: timeBase, to: microseconds) &+ shift) }
    }

    func finish() throws(LibAVError) {}

    /// Splits a frame into its length-prefixed NAL units (ISO/IEC 14496-15 §4.3.3); an incomplete one is dropped.
    private static func lengthPrefixedUnits(_ bytes: UnsafeRawBufferPointer) -> [FragmentedNALUnit] {
        var rest = ByteBuffer(bytes: bytes)
        var units: [FragmentedNALUnit] = []
        while let length = rest.readInteger(as: UInt32.self), let unit = rest.readSlice(length: Int(length)) {
            if isSent(unit.getInteger(at: unit.readerIndex)) { units.append(FragmentedNALUnit(unit)) }
        }
        return units
    }

    private static func byteStreamUnits(_ bytes: UnsafeRawBufferPointer) -> [FragmentedNALUnit] {
        let buffer = ByteBuffer(bytes: bytes)
        return AnnexB.nalUnits(in: bytes).compactMap { range in
            guard isSent(bytes[range.lowerBound]) else { return nil }
            return buffer.getSlice(at: buffer.readerIndex + range.lowerBound, length: range.count)
                .map(FragmentedNALUnit.init)
        }
    }

    /// Returns whether a NAL unit is sent: RFC 6184 needs neither delimiters nor filler.
    private static func isSent(_ header: UInt8?) -> Bool {
        switch header.flatMap(H264NALUnitType.init(headerByte:)) {
        case nil, .accessUnitDelimiter, .fillerData: false
        default: true
        }
    }
}
