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
    /// 90 kHz: between two values of the program's clock (ISO/IEC 13818-1 §2.7.2).
    private static let maximumClockDistance: Int64 = 9_000
    /// Of the first stream; the others' follow.
    private static let firstPID: UInt16 = 0x100

    /// 90 kHz: when the program's clock was last written.
    private var clockTime = Int64.min

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
        if stream > 0 { keepClock(at: decodeTime) } else { clockTime = decodeTime }
        let result = libav.av_write_frame(context, packet.pointer)
        guard result >= 0 else { throw Self.failure(result) }
    }

    /// libav writes the clock into the first stream's packets only, and so not at all while that one is silent: behind
    /// the tables, a packet with nothing but the clock takes its place (§2.4.3.5).
    private func keepClock(at decodeTime: Int64) {
        guard let output = context.pointee.pb, output.pointee.pos > 0 || output.pointee.buf_ptr > output.pointee.buffer,
            decodeTime.subtractingSaturating(clockTime) > Self.maximumClockDistance
        else { return }
        clockTime = decodeTime
        let clock = decodeTime.subtractingSaturating(Int64(Self.maximumDelay) * 9 / 100)
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt8(0x47))
        bytes.writeInteger(Self.firstPID)
        // An adaptation field up to the end, with program_clock_reference: 33 bits at 90 kHz, nine at 27 MHz.
        bytes.writeBytes([0x20, 183, 0x10])
        bytes.writeInteger(UInt32(truncatingIfNeeded: clock >> 1))
        bytes.writeInteger(UInt16(truncatingIfNeeded: clock & 1) << 15 | 0x7E00)
        bytes.writeRepeatingByte(0xFF, count: 188 - bytes.readableBytes)
        bytes.withUnsafeReadableBytes { bytes in
            libav.avio_write(output, bytes.bindMemory(to: UInt8.self).baseAddress, Int32(clamping: bytes.count))
        }
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
        for (name, value) in [
            ("mpegts_copyts", "1"), ("pat_period", "3600"), ("sdt_period", "3600"),
            ("tables_version", "\(tablesVersion)"), ("mpegts_start_pid", "\(Self.firstPID)"),
        ] {
            _ = libav.av_dict_set(&options, name, value, 0)
        }
        defer { libav.av_dict_free(&options) }
        let result = libav.avformat_write_header(context, &options)
        guard result >= 0 else { throw Self.failure(result) }
    }

    /// Another one for each program map that there may be (ISO/IEC 13818-1 §2.4.4.9: version_number, five bits): a
    /// receiver that has kept an old one looks at the new one where the streams have changed, behind a discontinuity.
    private var tablesVersion: Int {
        configurations.reduce(0) { version, configuration in
            switch configuration {
            case .h264: version | 1
            case .hevc: version | 2
            case .aac: version | 4
            case .dolby(let dolby): version | (dolby.coding == .ac3 ? 8 : 16)
            case .mp3: version | 12
            case .opus, .flac, .alac, .av1: version
            }
        }
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
        guard case .h264 = self else { return picture }
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
        for parameterSet in parameterSets {
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
