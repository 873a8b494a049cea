package import CLibAV
import Glibc
import MediaCore

/// A media file opened by libavformat, within limits: one regular file in a format from `InputFormat.allowedNames`,
/// and no other file or address whatever the content says. Belongs to one thread.
package final class InputFile: PacketSource {
    /// The bytes to read for stream parameters: libav's default of 5 MB misses the audio of some TS recordings that
    /// starts late.
    static let maximumAnalysisByteCount: Int64 = 20 << 20
    /// The media time to analyse for stream parameters, in microseconds.
    static let maximumAnalysisMicroseconds: Int64 = 15_000_000
    /// The largest number of streams in a file.
    static let maximumStreamCount: Int32 = 64
    /// The largest number of tags that are read from a file.
    package static let maximumTagCount = 64
    /// The bytes that are read of one tag; the rest is cut off.
    package static let maximumTagByteCount = 4096

    /// The file name without folders, for messages.
    package let name: String
    /// The size of the file when it was opened.
    package let byteCount: Int64
    /// The texts of the file's tags that libav does not read as they were written, by its keys.
    let sourceTags: [String: String]
    /// The tracks of a Matroska file, for what libav does not say about them; empty for other files.
    let matroskaTracks: [MatroskaTrack]
    /// All streams, cover art included.
    package private(set) var streams: [StreamInfo] = []
    /// False: a file never waits for a device.
    package let isLive = false
    /// The formats that are allowed for a file.
    package enum Formats: Sendable {
        /// Video and audio.
        case media
        /// JPEG and PNG files; no other decoder sees their bytes.
        case images
        /// Both, for slates.
        case mediaAndImages
    }

    /// The allowed formats.
    package let formats: Formats
    /// Ends reading from any thread.
    package let interruption: Interruption
    /// libav's object, which this one owns.
    package let context: UnsafeMutablePointer<AVFormatContext>
    private var io: UnsafeMutablePointer<AVIOContext>?
    /// Owns ``io`` when boxes are hidden.
    private var hidingInput: BoxHidingInput?

    /// Opens a file and reads the parameters of its streams. Throws ``LibAVError`` if the file cannot be read or is not
    /// in an allowed format.
    ///
    /// - Parameters:
    ///   - path: The file to open.
    ///   - formats: The formats to open.
    ///   - hiddenBoxOffsets: Offsets of the boxes of a movie file that are hidden from libav.
    ///   - interruption: Ends reading from any thread.
    package init(
        path: String, formats: Formats = .media, hiddenBoxOffsets: [Int64] = [], interruption: Interruption = .never
    ) throws(LibAVError) {
        try LibAVRuntime.load()
        LibAVRuntime.clearMessages()
        name = path.split(separator: "/").last.map(String.init) ?? path
        self.interruption = interruption
        self.formats = formats
        byteCount = try InputFormat.checkBeginning(path: path, name: name)
        sourceTags = SourceTags.read(path: path, legacy: Self.localeEncoding)
        matroskaTracks = MatroskaTrack.read(path: path)
        guard let context = libav.avformat_alloc_context() else {
            throw LibAVError(.outOfMemory, file: name, "ran out of memory")
        }
        self.context = context
        do throws(LibAVError) {
            let io = try openBytes(path, hiding: hiddenBoxOffsets)
            try open(io)
            try findStreams()
            try refuseEncrypted(path: path)
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
            // With the protocol in front, no part of a path can be mistaken for another protocol.
            let result = libav.avio_open2(&io, "file:" + path, AVIO_FLAG_READ, &interrupt, &options)
            guard result >= 0 else {
                throw LibAVError(result: result, doing: "opening it", file: name, as: .unreadable)
            }
        }
        guard let io else { throw LibAVError(.outOfMemory, file: name, "ran out of memory while opening it") }
        return io
    }

    private func open(_ io: UnsafeMutablePointer<AVIOContext>) throws(LibAVError) {
        let format = try InputFormat.probe(io, name: name, accepting: formats)
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
        // From the decoding order libav would derive times that are a frame or two off, and the same time for two
        // frames; without this flag decoders give better ones.
        if !hasPresentationTimes { context.pointee.flags &= ~AVFMT_FLAG_GENPTS }
    }

    private func findStreams() throws(LibAVError) {
        // Looking at an image decodes it.
        var options: OpaquePointer?
        defer { libav.av_dict_free(&options) }
        let isImage = formats == .images && context.pointee.nb_streams == 1
        if isImage { _ = libav.av_dict_set(&options, "max_pixels", "\(ImageHeader.maximumPixelCount)", 0) }
        let result =
            isImage
            ? libav.avformat_find_stream_info(context, &options) : libav.avformat_find_stream_info(context, nil)
        try interruption.check(file: name)
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "looking for its streams", file: name, as: .damaged)
        }
        streams = readStreams()
        addMatroskaLanguages()
    }

    /// Adds what libav leaves out, unless it did not make a stream of every track.
    private func addMatroskaLanguages() {
        let indices = streams.indices.filter { !streams[$0].isCoverImage && streams[$0].kind != .other }
        guard matroskaTracks.map(\.kind) == indices.map({ streams[$0].kind }) else { return }
        for (index, track) in zip(indices, matroskaTracks) {
            streams[index].language = track.language ?? streams[index].language
        }
    }

    // MARK: Properties

    /// The demuxer's short name, such as `matroska,webm`.
    package var formatName: String {
        context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? "unknown"
    }

    /// True if the file is ISO BMFF, whose sample positions are in a table.
    package var isMovie: Bool { formatName.hasPrefix("mov,") }

    /// The beginning of the first sample of a movie's track, read without moving on; empty for other files.
    ///
    /// - Parameters:
    ///   - stream: one of the file's streams.
    ///   - maximumByteCount: limit of the bytes.
    package func beginningOfFirstSample(
        of stream: UnsafeMutablePointer<AVStream>, maximumByteCount: Int
    ) -> [UInt8] {
        guard isMovie, let io = context.pointee.pb,
            let entry = libav.avformat_index_get_entry(stream, 0)?.pointee, entry.size > 0
        else { return [] }
        let position = libav.avio_seek(io, 0, SEEK_CUR)
        defer { _ = libav.avio_seek(io, position, SEEK_SET) }
        guard position >= 0, libav.avio_seek(io, entry.pos, SEEK_SET) >= 0 else { return [] }
        let count = min(Int(entry.size), maximumByteCount)
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, initializedCount in
            initializedCount = max(0, Int(libav.avio_read(io, bytes.baseAddress, Int32(clamping: count))))
        }
    }

    /// True if the container says when frames are presented, and not only in which order they are decoded.
    package var hasPresentationTimes: Bool { !["avi", "h264", "hevc"].contains(formatName) }

    /// The duration in seconds, for reports; `nil` if neither the header nor the streams tell.
    package var duration: Double? { durationMicroseconds.map { Double($0) / 1e6 } }

    /// The duration in microseconds; `nil` if it is unknown.
    package var durationMicroseconds: Int64? {
        Int64(timestamp: context.pointee.duration).flatMap { $0 > 0 ? $0 : nil }
    }

    /// True if the header or the timestamps tell the duration; otherwise it is an estimate from the bit rate.
    package var isDurationReliable: Bool { context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE }

    /// The earliest timestamp of any stream, in microseconds.
    package var startMicroseconds: Int64 { Int64(timestamp: context.pointee.start_time) ?? 0 }

    /// Returns the stream that libav selects as the main one, never cover art; `nil` if there is none. A movie's main
    /// video is its first enabled track that can be decoded, as for movies that are packaged in place.
    package func mainStream(_ kind: StreamInfo.Kind) -> StreamInfo? {
        guard kind == .video, isMovie else { return bestStream(kind) }
        let videos = streams.filter { $0.kind == .video && !$0.isCoverImage }
        let enabled = videos.filter { stream($0).pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
        let candidates = enabled.isEmpty ? videos : enabled
        return candidates.first(where: canDecode) ?? candidates.first
    }

    private func canDecode(_ info: StreamInfo) -> Bool {
        libav.avcodec_find_decoder(stream(info).pointee.codecpar.pointee.codec_id) != nil
    }

    // MARK: Reading

    /// Makes the demuxer drop the packets of all other streams.
    package func readOnly(_ wanted: [StreamInfo]) {
        for info in streams {
            let isWanted = wanted.contains { $0.index == info.index }
            stream(info).pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Makes the demuxer drop the packets of one stream.
    package func leaveOut(_ info: StreamInfo) { stream(info).pointee.discard = AVDISCARD_ALL }

    /// Reads the next packet into `packet`; returns false at the end of the file. Throws ``LibAVError`` if reading
    /// fails or is interrupted.
    package func read(into packet: Packet) throws(LibAVError) -> Bool {
        try interruption.check(file: name)
        packet.clear()
        let result = libav.av_read_frame(context, packet.pointer)
        if result == antena_averror_eof() { return try checkEnd() }
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "reading it", file: name, as: .damaged)
        }
        return true
    }

    /// Seeks to the last key frame at or before a time in microseconds; returns false if the file is not seekable.
    package func seek(toMicroseconds time: Int64) -> Bool {
        libav.avformat_seek_file(context, -1, Int64.min, time, time, 0) >= 0
    }

    /// Throws if a read error caused the end of the file: avio reports a failing disk as the end and keeps the error.
    private func checkEnd() throws(LibAVError) -> Bool {
        let error = io?.pointee.error ?? 0
        guard error >= 0 || error == antena_averror_eof() else {
            throw LibAVError(result: error, doing: "reading it", file: name, as: .damaged)
        }
        return false
    }
}
