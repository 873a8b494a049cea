package import CLibAV

/// Writes an MP4 with libavformat's muxer; the sample tables are written last, by ``finish()``. Belongs to one thread.
package final class MovieWriter {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let file: String
    private var hasHeader = false

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - path: The file to write; an existing file is overwritten.
    ///   - file: The source's name, for messages.
    ///   - interruption: Ends writing from any thread.
    package init(path: String, file: String, interruption: Interruption) throws(LibAVError) {
        self.file = file
        var made: UnsafeMutablePointer<AVFormatContext>?
        var result = libav.avformat_alloc_output_context2(&made, nil, "mp4", nil)
        guard result >= 0, let context = made else {
            throw LibAVError(result: result, doing: "starting the MP4 writer", file: file, as: .cannotWrite)
        }
        self.context = context
        // This libav marks FLAC in MP4 as experimental; players have supported it for long.
        context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        result = libav.avio_open2(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, nil, nil)
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "creating \(path)", file: file, as: .cannotWrite)
        }
    }

    deinit {
        _ = libav.avio_closep(&context.pointee.pb)
        libav.avformat_free_context(context)
    }

    /// Adds a track that holds an input stream's packets as they are, including its display matrix. Returns the track's
    /// index.
    ///
    /// - Parameters:
    ///   - stream: The input stream.
    ///   - timeBase: The unit of the packets' times.
    ///   - change: Changes the track's parameters, which are a copy of the stream's, if packets are not quite as they
    ///     are.
    package func addCopy(
        of stream: UnsafeMutablePointer<AVStream>, timeBase: AVRational,
        change: (UnsafeMutablePointer<AVCodecParameters>) -> Void = { _ in }
    ) throws(LibAVError) -> Int {
        let output = try newStream(timeBase: timeBase)
        guard libav.avcodec_parameters_copy(output.pointee.codecpar, stream.pointee.codecpar) >= 0 else {
            throw outOfMemory
        }
        change(output.pointee.codecpar)
        output.pointee.codecpar.pointee.codec_tag = Self.sampleEntryTag(of: stream.pointee.codecpar.pointee.codec_id)
        // The container's ratio takes precedence over the stream's; the muxer refuses a stream with two different ones.
        let shape = libav.av_guess_sample_aspect_ratio(nil, stream, nil)
        output.pointee.sample_aspect_ratio = shape
        output.pointee.codecpar.pointee.sample_aspect_ratio = shape
        copyDescription(from: stream, to: output)
        var byteCount = 0
        if let matrix = libav.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &byteCount), byteCount > 0 {
            try addDisplayMatrix(UnsafeRawBufferPointer(start: matrix, count: byteCount), to: output)
        }
        return Int(output.pointee.index)
    }

    /// Adds a track for an encoder's packets and returns its index.
    ///
    /// - Parameters:
    ///   - encoder: The encoder, already open.
    ///   - stream: The source stream whose language, name and purpose the track gets; `nil` if there is none.
    package func addTrack(
        _ encoder: Encoder, from stream: UnsafeMutablePointer<AVStream>?
    ) throws(LibAVError) -> Int {
        let output = try newStream(timeBase: encoder.timeBase)
        guard libav.avcodec_parameters_from_context(output.pointee.codecpar, encoder.context) >= 0 else {
            throw outOfMemory
        }
        output.pointee.codecpar.pointee.codec_tag = Self.sampleEntryTag(of: encoder.context.pointee.codec_id)
        output.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
        output.pointee.avg_frame_rate = encoder.context.pointee.framerate
        if let stream { copyDescription(from: stream, to: output) }
        return Int(output.pointee.index)
    }

    /// The sample entry for a codec; tags of other containers mean nothing in MP4. hvc1 keeps HEVC's parameter sets out
    /// of the samples, as Apple's devices require (HLS Authoring Specification 1.10).
    private static func sampleEntryTag(of codec: AVCodecID) -> UInt32 {
        codec == AV_CODEC_ID_HEVC ? antena_av_tag(0x68, 0x76, 0x63, 0x31) : 0
    }

    /// Writes the header; no tracks can be added afterwards.
    ///
    /// - Parameter tags: Tags such as `title` and `artist`, by libav's names.
    package func start(tags: [String: String]) throws(LibAVError) {
        for (key, value) in tags { _ = libav.av_dict_set(&context.pointee.metadata, key, value, 0) }
        let result = libav.avformat_write_header(context, nil)
        guard result >= 0 else { throw failure(result) }
        hasHeader = true
    }

    /// Writes a packet and takes its contents. Decode times of a track must rise.
    package func write(_ packet: Packet, track: Int, timeBase: AVRational) throws(LibAVError) {
        guard let stream = context.pointee.streams[track] else { preconditionFailure("no such track") }
        let target = stream.pointee.time_base
        packet.presentationTime = packet.presentationTime.map { rescale($0, from: timeBase, to: target) }
        packet.decodeTime = packet.decodeTime.map { rescale($0, from: timeBase, to: target) }
        packet.duration = rescale(packet.duration, from: timeBase, to: target)
        packet.pointer.pointee.stream_index = Int32(clamping: track)
        packet.pointer.pointee.pos = -1
        let result = libav.av_interleaved_write_frame(context, packet.pointer)
        guard result >= 0 else { throw failure(result) }
    }

    /// Writes the sample tables and closes the file; throws ``LibAVError`` if any write has failed.
    package func finish() throws(LibAVError) {
        precondition(hasHeader, "a movie is started before it is finished")
        var result = libav.av_write_trailer(context)
        guard result >= 0 else { throw failure(result) }
        // Buffered writes fail late: avio keeps the first error.
        result = context.pointee.pb?.pointee.error ?? 0
        guard result >= 0 else { throw failure(result) }
        result = libav.avio_closep(&context.pointee.pb)
        guard result >= 0 else { throw failure(result) }
    }

    private func newStream(timeBase: AVRational) throws(LibAVError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = libav.avformat_new_stream(context, nil) else { throw outOfMemory }
        stream.pointee.time_base = timeBase
        return stream
    }

    /// Copies what the author says about a stream: language, name, and purposes, which become `kind` boxes.
    private func copyDescription(
        from stream: UnsafeMutablePointer<AVStream>, to output: UnsafeMutablePointer<AVStream>
    ) {
        for key in ["language", "title"] {
            guard let value = InputFile.value(of: key, in: stream.pointee.metadata) else { continue }
            _ = libav.av_dict_set(&output.pointee.metadata, key, value, 0)
        }
        output.pointee.disposition |= stream.pointee.disposition & Self.copiedDispositions
    }

    private static let copiedDispositions =
        AV_DISPOSITION_DEFAULT | AV_DISPOSITION_COMMENT | AV_DISPOSITION_VISUAL_IMPAIRED
        | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL

    private func addDisplayMatrix(
        _ matrix: UnsafeRawBufferPointer, to stream: UnsafeMutablePointer<AVStream>
    ) throws(LibAVError) {
        guard
            let copy = libav.av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, matrix.count)
        else { throw outOfMemory }
        UnsafeMutableRawBufferPointer(start: copy, count: matrix.count).copyMemory(from: matrix)
    }

    private var outOfMemory: LibAVError { LibAVError(.outOfMemory, file: file, "ran out of memory for the MP4 writer") }

    private func failure(_ result: Int32) -> LibAVError {
        LibAVError(result: result, doing: "writing the MP4", file: file, as: .streamRefused)
    }
}
