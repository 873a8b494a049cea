import CLibAV
package import Codecs
import MediaCore
package import NIOCore

/// Writes an MPEG-TS into memory with libavformat's muxer. Belongs to one thread.
///
/// Times are written as given; PAT and PMT are written once, at the start.
package final class TransportStreamWriter {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: Packet
    private let configurations: [CodecConfiguration]

    /// The distance in microseconds between the program clock and the decode times, and half of the time for which
    /// audio frames are gathered into one PES packet. Players buffer that much before they decode.
    private static let maximumDelay: Int32 = 500_000
    /// The largest distance between two values of the program clock, in 90 kHz ticks (ISO/IEC 13818-1 §2.7.2).
    private static let maximumClockDistance: Int64 = 9_000
    /// The PID of the first stream; the others' follow.
    private static let firstPID: UInt16 = 0x100

    /// The decode time at which the program clock was last written, in 90 kHz ticks.
    private var clockTime = Int64.min

    /// Starts a transport stream. Throws ``LibAVError`` with code `codecUnsupported` if MPEG-TS cannot carry a codec.
    ///
    /// - Parameter configurations: One per stream. The first stream carries the program clock.
    package init(_ configurations: [CodecConfiguration]) throws(LibAVError) {
        try LibAVRuntime.load()
        // A publisher can make libav log a line per packet.
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

    /// Writes one frame.
    ///
    /// - Parameters:
    ///   - bytes: Length-prefixed NAL units, or an audio frame without a header.
    ///   - stream: The position of the stream among those of the writer.
    ///   - decodeTime: In 90 kHz ticks; rises within a stream, and never falls across streams.
    ///   - presentationTime: In 90 kHz ticks; not before `decodeTime`.
    ///   - isRandomAccessPoint: Whether decoding can start at the frame.
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

    /// Writes the program clock if it is overdue. libav writes it into the first stream's packets only, and therefore
    /// not at all while that stream is silent: a packet that contains only the clock, placed after the tables, takes
    /// its place (ISO/IEC 13818-1 §2.4.3.5).
    private func keepClock(at decodeTime: Int64) {
        guard let output = context.pointee.pb, output.pointee.pos > 0 || output.pointee.buf_ptr > output.pointee.buffer,
            decodeTime.subtractingSaturating(clockTime) > Self.maximumClockDistance
        else { return }
        clockTime = decodeTime
        let clock = decodeTime.subtractingSaturating(Int64(Self.maximumDelay) * 9 / 100)
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt8(0x47))
        bytes.writeInteger(Self.firstPID)
        // An adaptation field that fills the packet, with program_clock_reference: 33 bits at 90 kHz, nine at 27 MHz.
        bytes.writeBytes([0x20, 183, 0x10])
        bytes.writeInteger(UInt32(truncatingIfNeeded: clock >> 1))
        bytes.writeInteger(UInt16(truncatingIfNeeded: clock & 1) << 15 | 0x7E00)
        bytes.writeRepeatingByte(0xFF, count: 188 - bytes.readableBytes)
        bytes.withUnsafeReadableBytes { bytes in
            libav.avio_write(output, bytes.bindMemory(to: UInt8.self).baseAddress, Int32(clamping: bytes.count))
        }
    }

    /// Returns the whole stream. Nothing may be written afterwards.
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
        guard parameters.setRecord(record) else { throw Self.outOfMemory }
    }

    private func start() throws(LibAVError) {
        // A period of an hour: HLS requires the tables once per segment, at its start (RFC 8216 §3.2).
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

    /// A version number that differs between program maps (ISO/IEC 13818-1 §2.4.4.9: version_number, five bits): a
    /// receiver that has kept an old map reads the new one after a discontinuity if the streams have changed.
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
    /// Returns the frame with its parameter sets if libav would not insert them: it does so before an IDR picture, and
    /// for HEVC before every random access point, but not before the recovery points of H.264 encoders with gradual
    /// refresh.
    fileprivate func withParameterSets(_ frame: ByteBuffer) -> ByteBuffer {
        guard case .h264 = self else { return frame }
        let types = H264NALUnitType.types(in: frame)
        guard !types.contains(.idrSlice), !types.contains(.sequenceParameterSet) else { return frame }
        var rest = frame
        var result = ByteBuffer()
        // An access unit delimiter stays the first NAL unit (ITU-T H.264 §7.4.1.2.3).
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
    /// Returns the type of each length-prefixed NAL unit, as far as the lengths are valid; `nil` for an unknown type.
    fileprivate static func types(in frame: ByteBuffer) -> [H264NALUnitType?] {
        var rest = frame
        var types: [H264NALUnitType?] = []
        while let length = rest.readInteger(as: UInt32.self), let unit = rest.readSlice(length: Int(length)),
            let header = unit.getInteger(at: unit.readerIndex, as: UInt8.self)
        {
            types.append(H264NALUnitType(headerByte: header))
        }
        return types
    }
}
