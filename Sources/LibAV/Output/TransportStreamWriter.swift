import CLibAV
package import Codecs
import MediaCore
package import NIOCore

/// Writes an MPEG-TS into memory with libavformat's muxer. Belongs to one thread.
///
/// Times are written as they are given: PAT and PMT stand once, in front.
package final class TransportStreamWriter {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: Packet
    private let configurations: [CodecConfiguration]

    /// Microseconds by which the program's clock is behind the decode times, and twice as long as frames of sound are
    /// gathered for one PES packet. Players hold so much before they decode.
    private static let maximumDelay: Int32 = 500_000

    /// - Parameter configurations: one a stream. The first one's carries the program's clock.
    package init(_ configurations: [CodecConfiguration]) throws(LibAVError) {
        try LibAVRuntime.load()
        // A publisher can make libav log a line a packet.
        antena_av_quiet_this_thread()
        packet = try Packet()
        self.configurations = configurations
        var made: UnsafeMutablePointer<AVFormatContext>?
        let result = libav.avformat_alloc_output_context2(&made, nil, "mpegts", nil)
        guard result >= 0, let context = made else { throw Self.failure(result) }
        self.context = context
        context.pointee.max_delay = Self.maximumDelay
        guard libav.avio_open_dyn_buf(&context.pointee.pb) >= 0 else { throw Self.outOfMemory }
        for configuration in configurations { try addStream(configuration) }
        try start()
    }

    deinit {
        if context.pointee.pb != nil { _ = takeOutput() }
        libav.avformat_free_context(context)
    }

    /// - Parameters:
    ///   - bytes: length-prefixed NAL units, or a frame without a header.
    ///   - decodeTime: 90 kHz; rises within a stream, and never falls between them.
    ///   - presentationTime: not before it.
    package func write(
        _ bytes: ByteBuffer, stream: Int, decodeTime: Int64, presentationTime: Int64, isRandomAccessPoint: Bool
    ) throws(LibAVError) {
        let bytes = isRandomAccessPoint ? configurations[stream].withParameterSets(bytes) : bytes
        guard libav.av_new_packet(packet.pointer, Int32(clamping: bytes.readableBytes)) >= 0 else {
            throw Self.outOfMemory
        }
        defer { packet.clear() }
        bytes.withUnsafeReadableBytes { source in
            guard let start = source.baseAddress, let data = packet.pointer.pointee.data else { return }
            UnsafeMutableRawPointer(data).copyMemory(from: start, byteCount: source.count)
        }
        packet.pointer.pointee.stream_index = Int32(clamping: stream)
        packet.decodeTime = decodeTime
        packet.presentationTime = presentationTime
        if isRandomAccessPoint { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
        let result = libav.av_write_frame(context, packet.pointer)
        guard result >= 0 else { throw Self.failure(result) }
    }

    /// The whole stream. Nothing may be written after it.
    package func finish() throws(LibAVError) -> ByteBuffer {
        let result = libav.av_write_trailer(context)
        guard result >= 0 else { throw Self.failure(result) }
        return takeOutput()
    }

    // MARK: Parts

    private func addStream(_ configuration: CodecConfiguration) throws(LibAVError) {
        guard let stream = libav.avformat_new_stream(context, nil), let parameters = stream.pointee.codecpar else {
            throw Self.outOfMemory
        }
        stream.pointee.time_base = AVRational(num: 1, den: 90_000)
        let record: [UInt8]
        switch configuration {
        case .h264(let h264):
            (parameters.pointee.codec_id, record) = (AV_CODEC_ID_H264, h264.record)
        case .hevc(let hevc):
            (parameters.pointee.codec_id, record) = (AV_CODEC_ID_HEVC, hevc.record)
        case .aac(let aac):
            (parameters.pointee.codec_id, record) = (AV_CODEC_ID_AAC, aac.audioSpecificConfig)
        case .dolby(let dolby):
            (parameters.pointee.codec_id, record) = (dolby.coding == .ac3 ? AV_CODEC_ID_AC3 : AV_CODEC_ID_EAC3, [])
        case .mp3:
            (parameters.pointee.codec_id, record) = (AV_CODEC_ID_MP3, [])
        case .opus, .flac, .alac, .av1:
            throw LibAVError(.codecUnsupported, file: nil, "\(configuration.name) is not carried in MPEG-TS")
        }
        parameters.pointee.codec_type = configuration.mediaType == .video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
        if let sampleRate = configuration.audioSampleRate, let channelCount = configuration.audioChannelCount {
            parameters.pointee.sample_rate = Int32(clamping: sampleRate)
            libav.av_channel_layout_default(&parameters.pointee.ch_layout, Int32(clamping: channelCount))
        }
        try setRecord(record, of: parameters)
    }

    /// What the muxer writes parameter sets and ADTS headers from.
    private func setRecord(_ record: [UInt8], of parameters: UnsafeMutablePointer<AVCodecParameters>) throws(LibAVError)
    {
        let byteCount = record.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let copy = libav.av_mallocz(byteCount) else { throw Self.outOfMemory }
        copy.copyMemory(from: record, byteCount: record.count)
        parameters.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(clamping: record.count)
    }

    private func start() throws(LibAVError) {
        // An hour: once in a segment is what the rules ask, at its start.
        var options: OpaquePointer?
        for (name, value) in [("mpegts_copyts", "1"), ("pat_period", "3600"), ("sdt_period", "3600")] {
            _ = libav.av_dict_set(&options, name, value, 0)
        }
        defer { libav.av_dict_free(&options) }
        let result = libav.avformat_write_header(context, &options)
        guard result >= 0 else { throw Self.failure(result) }
    }

    private func takeOutput() -> ByteBuffer {
        var bytes: UnsafeMutablePointer<UInt8>?
        let byteCount = libav.avio_close_dyn_buf(context.pointee.pb, &bytes)
        context.pointee.pb = nil
        defer { libav.av_free(bytes) }
        guard let bytes, byteCount > 0 else { return ByteBuffer() }
        return ByteBuffer(bytes: UnsafeRawBufferPointer(start: bytes, count: Int(byteCount)))
    }

    private static var outOfMemory: LibAVError {
        LibAVError(.outOfMemory, file: nil, "ran out of memory for the MPEG-TS writer")
    }

    private static func failure(_ result: Int32) -> LibAVError {
        LibAVError(result: result, doing: "writing MPEG-TS", file: nil, as: .cannotWrite)
    }
}

extension CodecConfiguration {
    /// The picture with its parameter sets, where libav would not put them in front of it: it does before an IDR
    /// picture, and for HEVC before every picture at which decoding can start, but not before the recovery points of
    /// H.264 encoders that refresh their pictures little by little.
    fileprivate func withParameterSets(_ picture: ByteBuffer) -> ByteBuffer {
        guard case .h264(let h264) = self else { return picture }
        let types = H264NALUnitType.types(in: picture)
        guard !types.contains(.idrSlice), !types.contains(.sequenceParameterSet) else { return picture }
        var rest = picture
        var result = ByteBuffer()
        // A delimiter stays the first (ITU-T H.264 §7.4.1.2.3).
        if types.first == .accessUnitDelimiter, let length = rest.getInteger(at: rest.readerIndex, as: UInt32.self),
            let delimiter = rest.readSlice(length: 4 + Int(length))
        {
            result.writeImmutableBuffer(delimiter)
        }
        for parameterSet in h264.sequenceParameterSets + h264.pictureParameterSets {
            result.writeInteger(UInt32(clamping: parameterSet.count))
            result.writeBytes(parameterSet)
        }
        result.writeImmutableBuffer(rest)
        return result
    }
}

extension H264NALUnitType {
    /// Of each NAL unit behind its length, as far as the lengths are right; `nil` for one that is not known.
    fileprivate static func types(in picture: ByteBuffer) -> [H264NALUnitType?] {
        var rest = picture
        var types: [H264NALUnitType?] = []
        while let length = rest.readInteger(as: UInt32.self), let unit = rest.readSlice(length: Int(length)),
            let header = unit.getInteger(at: unit.readerIndex, as: UInt8.self)
        {
            types.append(H264NALUnitType(headerByte: header))
        }
        return types
    }
}
