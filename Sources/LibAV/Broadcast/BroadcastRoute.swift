import CLibAV
import Codecs
import MediaCore
import NIOCore

/// The way of one stream's packets to the output, copied or re-encoded. Belongs to one thread.
protocol BroadcastRoute: AnyObject {
    /// Passes on a packet.
    ///
    /// - Parameters:
    ///   - packet: A packet of this stream; `nil` when the source has ended, after which it may start again.
    ///   - shift: The microseconds to add to the stream's times to get times from the start of the capture.
    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError)
    /// Passes on the frames that are still held.
    func finish() throws(LibAVError)
}

/// Transcodes video to the preset's format.
final class VideoEncodingRoute: BroadcastRoute {
    private let decoder: Decoder
    private let encoder: BroadcastVideoEncoder
    private let source: any PacketSource
    private let info: StreamInfo
    private let rotation: PictureRotation
    /// True if a frame with that time would be too late.
    private let isLate: (Int64) -> Bool

    init(
        _ info: StreamInfo, of source: any PacketSource, encoder: BroadcastVideoEncoder, threadCount: Int,
        isLate: @escaping (Int64) -> Bool
    ) throws(LibAVError) {
        self.info = info
        self.source = source
        self.encoder = encoder
        self.isLate = isLate
        let stream = source.stream(info)
        decoder = try Decoder(stream, codecName: info.codecName, file: source.name, threadCount: threadCount)
        rotation = PictureRotation(of: stream)
    }

    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
        let stream = source.stream(info)
        try decoder.decode(packet) { frame throws(LibAVError) in
            guard let ticks = frame.bestEffortTime else { return }
            let time = rescale(ticks, from: stream.pointee.time_base, to: microseconds) &+ shift
            guard !isLate(time) else { return }
            let ratio = libav.av_guess_sample_aspect_ratio(source.context, stream, frame.pointer).positive?.value
            try encoder.encode(frame, at: time, pixelRatio: ratio ?? 1, rotation: rotation)
        }
        if packet == nil { decoder.flush() }
    }

    func finish() throws(LibAVError) { try encoder.finish() }
}

/// Transcodes audio to AAC.
final class AudioEncodingRoute: BroadcastRoute {
    private let decoder: Decoder
    private let encoder: BroadcastAudioEncoder
    private let timeBase: AVRational

    init(
        _ info: StreamInfo, of source: any PacketSource, encoder: BroadcastAudioEncoder
    ) throws(LibAVError) {
        let stream = source.stream(info)
        self.encoder = encoder
        timeBase = stream.pointee.time_base
        decoder = try Decoder(stream, codecName: info.codecName, file: source.name, threadCount: 1)
    }

    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
        try decoder.decode(packet) { frame throws(LibAVError) in
            guard let ticks = frame.bestEffortTime else { return }
            try encoder.encode(frame, at: rescale(ticks, from: timeBase, to: microseconds) &+ shift)
        }
        if packet == nil { decoder.flush() }
    }

    func finish() throws(LibAVError) { try encoder.finish() }
}

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
            statistics.capturedPictureCount += 1
            statistics.encodedPictureCount += 1
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

/// Copies AAC frames.
final class AudioCopyingRoute: BroadcastRoute {
    private let timeBase: AVRational
    private let timescale: Timescale
    private let emit: (BroadcastOutput) -> Void

    /// Emits the stream's configuration.
    ///
    /// - Returns: `nil` if the stream is not AAC that RTP carries as it is.
    init?(_ info: StreamInfo, of source: any PacketSource, emit: @escaping (BroadcastOutput) -> Void) {
        let stream = source.stream(info)
        let parameters = stream.pointee.codecpar.pointee
        let header = UnsafeRawBufferPointer(
            start: parameters.extradata, count: max(0, Int(parameters.extradata_size)))
        guard parameters.codec_id == AV_CODEC_ID_AAC,
            let configuration = try? AACConfiguration(parsingAudioSpecificConfig: Array(header)),
            let timescale = Timescale(checking: UInt32(clamping: configuration.sampleRate))
        else { return nil }
        self.emit = emit
        self.timescale = timescale
        timeBase = stream.pointee.time_base
        emit(.configuration(.aac(configuration), timescale))
    }

    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
        guard let packet, packet.bytes.count > 0, let ticks = packet.presentationTime ?? packet.decodeTime else {
            return
        }
        let shown = rescale(ticks, from: timeBase, to: microseconds) &+ shift
        let time = MediaTime(value: shown, timescale: .microseconds).converted(to: timescale).value
        emit(
            .unit(
                .audio,
                AccessUnit(
                    decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                    payload: .frame(ByteBuffer(bytes: packet.bytes)))))
    }

    func finish() throws(LibAVError) {}
}
