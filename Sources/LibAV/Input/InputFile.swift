import CLibAV
import Glibc

/// A media file opened by libavformat, within limits: one regular file, a format from ``InputFormat/allowedNames``,
/// and no other file or address whatever the content says. Belongs to one thread.
package final class InputFile: PacketSource {
    /// Read for stream parameters: libav's default of 5 MB misses the sound of some TS recordings that start late.
    static let maximumAnalysisByteCount: Int64 = 20 << 20
    static let maximumAnalysisMicroseconds: Int64 = 15_000_000
    static let maximumStreamCount: Int32 = 64
    package static let maximumTagCount = 64
    package static let maximumTagByteCount = 4096

    /// Without folders, for messages.
    package let name: String
    let byteCount: Int64
    /// Texts of an ID3v2 tag that are declared to be Latin-1: what libav makes of them, and the bytes that are there.
    let undeclaredTexts: [String: [UInt8]]
    /// All streams, cover art included.
    package private(set) var streams: [StreamInfo] = []
    let isLive = false
    let interruption: Interruption
    let context: UnsafeMutablePointer<AVFormatContext>
    private var io: UnsafeMutablePointer<AVIOContext>?
    /// Owns ``io`` when boxes are hidden.
    private var hidingInput: BoxHidingInput?

    /// - Parameters:
    ///   - takesPictures: Opens JPEG and PNG files, too.
    ///   - hiddenBoxOffsets: Offsets of boxes of a movie file that libav is not to see.
    ///   - interruption: Ends reading from any thread.
    package init(
        path: String, takesPictures: Bool = false, hiddenBoxOffsets: [Int64] = [], interruption: Interruption = .never
    ) throws(LibAVError) {
        try LibAVRuntime.load()
        LibAVRuntime.forgetMessages()
        name = path.split(separator: "/").last.map(String.init) ?? path
        self.interruption = interruption
        byteCount = try InputFormat.checkBeginning(path: path, name: name)
        undeclaredTexts = UndeclaredID3Texts.read(path: path)
        guard let context = libav.avformat_alloc_context() else {
            throw LibAVError(.outOfMemory, file: name, "ran out of memory")
        }
        self.context = context
        do throws(LibAVError) {
            let io = try openBytes(path, hiding: hiddenBoxOffsets)
            try open(io, takesPictures: takesPictures)
            try findStreams()
        } catch {
            // `deinit` runs: every stored property has its value.
            throw error
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = isOpened ? context : nil
        libav.avformat_close_input(&context)
        if !isOpened, !isFreedByOpen { libav.avformat_free_context(self.context) }
        if hidingInput == nil { _ = libav.avio_closep(&io) }
    }

    private var isOpened = false
    /// avformat_open_input frees the context that it fails on.
    private var isFreedByOpen = false

    private func openBytes(
        _ path: String, hiding boxOffsets: [Int64]
    ) throws(LibAVError) -> UnsafeMutablePointer<AVIOContext> {
        if !boxOffsets.isEmpty {
            let input = try BoxHidingInput(path: path, hiding: boxOffsets, name: name, interruption: interruption)
            (hidingInput, io) = (input, input.context)
        } else {
            var interrupt = interruption.callback
            var options: OpaquePointer?
            defer { libav.av_dict_free(&options) }
            _ = libav.av_dict_set(&options, "protocol_whitelist", "file", 0)
            // With its protocol before it, no part of a path can be taken for another protocol.
            let result = libav.avio_open2(&io, "file:" + path, AVIO_FLAG_READ, &interrupt, &options)
            guard result >= 0 else {
                throw LibAVError(result: result, doing: "opening it", file: name, as: .unreadable)
            }
        }
        guard let io else { throw LibAVError(.outOfMemory, file: name, "ran out of memory while opening it") }
        return io
    }

    private func open(_ io: UnsafeMutablePointer<AVIOContext>, takesPictures: Bool) throws(LibAVError) {
        let format = try InputFormat.probe(io, name: name, takesPictures: takesPictures)
        context.pointee.pb = io
        context.pointee.interrupt_callback = interruption.callback
        context.pointee.io_open = antena_av_refuse_open
        context.pointee.probesize = Self.maximumAnalysisByteCount
        context.pointee.max_analyze_duration = Self.maximumAnalysisMicroseconds
        context.pointee.max_streams = Self.maximumStreamCount
        context.pointee.flags |= AVFMT_FLAG_GENPTS
        var formatOptions: OpaquePointer?
        defer { libav.av_dict_free(&formatOptions) }
        _ = libav.av_dict_set(&formatOptions, "protocol_whitelist", "file", 0)
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        let result = libav.avformat_open_input(&opened, "", format, &formatOptions)
        guard result >= 0 else {
            isFreedByOpen = true
            throw LibAVError(result: result, doing: "reading its header", file: name, as: .damaged)
        }
        isOpened = true
        // Of the order of decoding libav would make times that are a picture or two off, and the same for two pictures;
        // left alone, decoders tell better ones.
        if !hasPresentationTimes { context.pointee.flags &= ~AVFMT_FLAG_GENPTS }
    }

    private func findStreams() throws(LibAVError) {
        let result = libav.avformat_find_stream_info(context, nil)
        try interruption.check(file: name)
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "looking for its streams", file: name, as: .damaged)
        }
        streams = readStreams()
    }

    // MARK: What it is

    /// The demuxer's short name, such as `matroska,webm`.
    package var formatName: String {
        context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? "unknown"
    }

    /// Whether it is ISO BMFF, whose samples have their places in a table.
    var isMovie: Bool { formatName.hasPrefix("mov,") }

    /// Whether the container says when pictures are shown, and not only in which order they are decoded.
    var hasPresentationTimes: Bool { !["avi", "h264", "hevc"].contains(formatName) }

    /// Seconds, for reports; `nil` where neither the header nor the streams tell.
    package var duration: Double? { durationMicroseconds.map { Double($0) / 1e6 } }

    var durationMicroseconds: Int64? {
        Int64(timestamp: context.pointee.duration).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The header or the timestamps tell the duration; otherwise it is a guess from the bit rate.
    var isDurationReliable: Bool { context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE }

    /// The earliest timestamp of any stream, in microseconds.
    var startMicroseconds: Int64 { Int64(timestamp: context.pointee.start_time) ?? 0 }

    /// The stream that libav takes for the main one; never cover art. A movie's video is its first enabled track that can
    /// be decoded, as for movies that are packaged in place.
    package func mainStream(_ kind: StreamInfo.Kind) -> StreamInfo? {
        guard kind == .video, isMovie else { return bestStream(kind) }
        let videos = streams.filter { $0.kind == .video && !$0.isAttachedPicture }
        let enabled = videos.filter { stream($0).pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
        let candidates = enabled.isEmpty ? videos : enabled
        return candidates.first(where: canDecode) ?? candidates.first
    }

    private func canDecode(_ info: StreamInfo) -> Bool {
        libav.avcodec_find_decoder(stream(info).pointee.codecpar.pointee.codec_id) != nil
    }

    // MARK: Reading

    /// Lets the demuxer drop packets of all other streams.
    func readOnly(_ wanted: [StreamInfo]) {
        for info in streams {
            let isWanted = wanted.contains { $0.index == info.index }
            stream(info).pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// The same for a single stream.
    func leaveOut(_ info: StreamInfo) { stream(info).pointee.discard = AVDISCARD_ALL }

    /// Fills `packet` with the next one; false at the end of the file.
    func read(into packet: Packet) throws(LibAVError) -> Bool {
        try interruption.check(file: name)
        packet.clear()
        let result = libav.av_read_frame(context, packet.pointer)
        if result == antena_averror_eof() { return try checkEnd() }
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "reading it", file: name, as: .damaged)
        }
        return true
    }

    /// Goes to the last key frame at or before a time in microseconds; false where the file cannot be sought.
    func seek(toMicroseconds time: Int64) -> Bool {
        libav.avformat_seek_file(context, -1, Int64.min, time, time, 0) >= 0
    }

    /// avio reports a failing disk as the end of the file and keeps the error.
    private func checkEnd() throws(LibAVError) -> Bool {
        let error = io?.pointee.error ?? 0
        guard error >= 0 || error == antena_averror_eof() else {
            throw LibAVError(result: error, doing: "reading it", file: name, as: .damaged)
        }
        return false
    }
}
