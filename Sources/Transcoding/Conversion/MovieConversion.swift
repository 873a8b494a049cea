import CLibAV
package import LibAV

/// Writes a file's main video and its audio tracks as an MP4 that HLS can carry: streams that HLS accepts are copied
/// bit for bit, all others are transcoded, stream by stream. Text subtitles and chapters are returned separately; data
/// streams are dropped.
package struct MovieConversion {
    /// The streams to keep.
    package enum Content: Sendable {
        /// The main video and all audio streams.
        case videoAndAudio
        /// The main audio stream only, as AAC, for music tracks: internet radios and old phones decode nothing else.
        case audioOnly
    }

    /// The streams that may be copied if HLS accepts them.
    package enum Copying: Sendable {
        /// All streams.
        case allStreams
        /// Audio only, if the order of the video frames cannot be determined from their packets.
        case audioOnly
        /// No stream, if a copy has turned out to be unusable.
        case nothing
    }

    /// The result of a conversion.
    package struct Outcome: Sendable, Hashable {
        /// The number of streams that were copied.
        package var copiedStreamCount = 0
        /// The number of streams that were transcoded.
        package var transcodedStreamCount = 0
        /// The languages of the movie's tracks as the source has them, keyed by the track's position.
        package var languages: [Int: String] = [:]
        /// The text subtitles, for ``Content/videoAndAudio``.
        package var subtitles: [SubtitleStream] = []
        /// The chapters, for ``Content/videoAndAudio``.
        package var chapters: [ChapterMark] = []
        /// The streams that were left out, and why.
        package var leftOut: [LeftOutStream] = []
    }

    /// The share of the header's duration that may be missing before a file counts as truncated. Some writers count
    /// subtitles or round, hence the tolerance.
    private static let toleratedMissingShare = 0.1
    private static let toleratedMissingSeconds = 2.0
    /// The smallest jump of the clock within a transport stream, as between concatenated recordings; smaller ones are
    /// gaps.
    private static let discontinuityMicroseconds: Int64 = 10_000_000

    private static let maximumPrimingMicroseconds: Int64 = 500_000
    /// The largest number of audio streams: languages and commentaries; discs have eight.
    private static let maximumAudioStreamCount = 16

    private let input: InputFile
    private let threadCount: Int
    private let copying: Copying
    private var converters: [Int: any TrackConverter] = [:]
    private var outcome = Outcome()
    private var subtitles: SubtitleCollection?
    /// The shift of every timestamp, in microseconds.
    private var shift: Int64
    private var lastTimes: [Int: Int64] = [:]
    private var endMicroseconds: Int64 = 0

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - input: The file to convert.
    ///   - threadCount: The number of threads for video coding; usually the number of processors.
    ///   - copying: The streams that may be copied if HLS accepts them.
    package init(_ input: InputFile, threadCount: Int, copying: Copying = .allStreams) {
        self.input = input
        self.threadCount = threadCount
        self.copying = copying
        // Decoders drop what starts slightly before zero (Opus pre-skip, AAC priming); the file's own zero is kept.
        let start = input.startMicroseconds
        shift = (-Self.maximumPrimingMicroseconds...0).contains(start) ? 0 : -start
    }

    /// Converts the file.
    ///
    /// - Parameters:
    ///   - path: The file to write, which is overwritten; after a failure an incomplete file may remain.
    ///   - content: The streams to write.
    ///   - progress: Called for every packet with the share that is done, 0 to 1, if the duration is known.
    /// - Throws: `LibAVError`: `pictureOrderUnknown` if ``Copying/audioOnly`` may succeed, `streamRefused` if
    ///   ``Copying/nothing`` may.
    package mutating func write(
        to path: String, content: Content, progress: (Double) -> Void
    ) throws(LibAVError) -> Outcome {
        let streams = wantedStreams(content)
        guard !streams.isEmpty else {
            let missing = content == .audioOnly ? "audio" : "video or audio"
            throw LibAVError(.noMedia, file: input.name, "holds no \(missing)")
        }
        let subtitles = content == .videoAndAudio ? SubtitleCollection(input) : nil
        self.subtitles = subtitles
        input.readOnly(streams + (subtitles?.wanted ?? []))
        let writer = try MovieWriter(path: path, file: input.name, interruption: input.interruption)
        try checkSampleOffsets(of: streams)
        var firstFailure: LibAVError?
        for info in streams {
            do throws(LibAVError) {
                converters[info.index] = try makeConverter(info, content, writer)
                outcome.languages[converters.count - 1] = info.language
            } catch {
                // A stream that cannot be decoded must not cost the others.
                guard error.concernsOneStream else { throw error }
                firstFailure = firstFailure ?? error
                input.leaveOut(info)
                outcome.leftOut.append(LeftOutStream(info, reason: error.reason))
            }
        }
        if converters.isEmpty, let firstFailure { throw firstFailure }
        let known: Set<String> = ["title", "artist", "album", "album_artist", "composer", "date", "genre", "track"]
        try writer.start(tags: input.tags.filter { known.contains($0.key) })
        try convert(progress)
        try writer.finish()
        outcome.subtitles = self.subtitles?.subtitles ?? []
        for info in streams where converters[info.index]?.decodedNothing == true {
            outcome.leftOut.append(LeftOutStream(info, reason: "nothing in it could be decoded"))
        }
        outcome.leftOut += self.subtitles?.leftOut ?? []
        if content == .videoAndAudio { outcome.chapters = input.chapters(shift: shift) }
        return outcome
    }

    /// Returns the main video, the main audio and, unless only audio is wanted, all other audio streams.
    private func wantedStreams(_ content: Content) -> [StreamInfo] {
        let main = input.mainStream(.audio)
        guard content == .videoAndAudio else { return [main].compactMap(\.self) }
        let others = input.streams.filter { $0.kind == .audio && $0.index != main?.index }
        // Audio streams keep the order of the file; the main one is marked there.
        let audioStreams = ([main].compactMap(\.self) + others).prefix(Self.maximumAudioStreamCount)
            .sorted { $0.index < $1.index }
        return [input.mainStream(.video)].compactMap(\.self) + audioStreams
    }

    private mutating func convert(_ progress: (Double) -> Void) throws(LibAVError) {
        let packet = try Packet()
        let duration = input.durationMicroseconds
        while try input.read(into: packet) {
            guard let converter = converters[packet.streamIndex] else {
                subtitles?.accept(packet, shift: shift)
                continue
            }
            try checkDamage(packet)
            adjustTimes(of: packet)
            try converter.accept(packet)
            if let duration { progress(min(1, max(0, Double(endMicroseconds) / Double(duration)))) }
        }
        guard !lastTimes.isEmpty else {
            throw LibAVError(.damaged, file: input.name, "holds no readable video or audio")
        }
        try checkCompleteness()
        for converter in converters.sorted(by: { $0.key < $1.key }) { try converter.value.accept(nil) }
    }

    // MARK: Copying or transcoding

    private mutating func makeConverter(
        _ info: StreamInfo, _ content: Content, _ writer: MovieWriter
    ) throws(LibAVError) -> any TrackConverter {
        let stream = input.stream(info)
        let isCopied =
            info.kind == .video
            ? copying == .allStreams && canCopyVideo(stream, info)
            : copying != .nothing && canCopyAudio(stream, content)
        let frameRate = libav.av_guess_frame_rate(input.context, stream, nil).positive
        let converter: any TrackConverter =
            switch (info.kind, isCopied) {
            case (.video, true) where !input.hasPresentationTimes && PictureOrderParser.knows(stream):
                try VideoOrderingCopier(stream, frameRate: frameRate, writer: writer, file: input.name)
            case (.video, true):
                try VideoCopier(
                    stream, frameRate: frameRate, writer: writer, hasPresentationTimes: input.hasPresentationTimes,
                    header: AV1SequenceHeaderSource(stream, in: input), file: input.name)
            case (.video, false):
                try VideoTranscoder(
                    stream, info: info, frameRate: frameRate, writer: writer, file: input.name, threadCount: threadCount
                )
            case (_, true): try AudioCopier(stream, writer: writer)
            case (_, false): try AudioTranscoder(stream, info: info, writer: writer, file: input.name)
            }
        if isCopied { outcome.copiedStreamCount += 1 } else { outcome.transcodedStreamCount += 1 }
        return converter
    }

    private func canCopyVideo(_ stream: UnsafeMutablePointer<AVStream>, _ info: StreamInfo) -> Bool {
        let parameters = stream.pointee.codecpar.pointee
        let pixelFormats: [AVPixelFormat]
        switch parameters.codec_id {
        case AV_CODEC_ID_H264: pixelFormats = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P]
        case AV_CODEC_ID_HEVC: pixelFormats = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P10LE]
        case AV_CODEC_ID_AV1: pixelFormats = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P10LE]
        default: return false
        }
        guard !hasHiddenPackets(stream, from: 0) else { return false }
        // Without parameter sets there is nothing to write into the sample entry.
        guard hasParameterSets(stream), info.width != nil else { return false }
        // More than 60 frames per second are forbidden (HLS Authoring Specification 1.19).
        guard info.frameRate.map({ $0 <= 60.5 }) ?? true else { return false }
        return pixelFormats.contains(AVPixelFormat(parameters.format))
    }

    private func hasParameterSets(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard let parameters = stream.pointee.codecpar else { return false }
        guard parameters.pointee.codec_id == AV_CODEC_ID_AV1 else { return parameters.pointee.extradata_size > 0 }
        return AV1SequenceHeaderSource.isComplete(parameters) || AV1SequenceHeaderSource(stream, in: input) != nil
    }

    private func canCopyAudio(_ stream: UnsafeMutablePointer<AVStream>, _ content: Content) -> Bool {
        let parameters = stream.pointee.codecpar.pointee
        // An encoder's priming is hidden, too, and may be played.
        guard parameters.sample_rate > 0, !hasHiddenPackets(stream, from: Self.maximumPrimingPacketCount) else {
            return false
        }
        let profiles = [FF_PROFILE_UNKNOWN, FF_PROFILE_AAC_LOW, FF_PROFILE_AAC_HE, FF_PROFILE_AAC_HE_V2]
        switch parameters.codec_id {
        case AV_CODEC_ID_AAC: return profiles.contains(parameters.profile)
        case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_MP3: return content == .videoAndAudio
        // These codecs need their header in the sample entry.
        case AV_CODEC_ID_OPUS, AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC:
            return content == .videoAndAudio && parameters.extradata_size > 0
        default: return false
        }
    }

    private static let maximumPrimingPacketCount: Int32 = 3

    /// Returns whether an edit list cuts into the stream: some packets are then only there to be decoded, and a copy
    /// would show them.
    private func hasHiddenPackets(_ stream: UnsafeMutablePointer<AVStream>, from first: Int32) -> Bool {
        guard input.isMovie else { return false }
        let count = libav.avformat_index_get_entries_count(stream)
        guard count > first else { return false }
        return (first..<count).contains { index in
            (libav.avformat_index_get_entry(stream, index)?.pointee.flags ?? 0) & AVINDEX_DISCARD_FRAME != 0
        }
    }

    // MARK: Times

    /// Moves the file's start to zero and closes jumps of a transport stream's clock.
    private mutating func adjustTimes(of packet: Packet) {
        guard let stream = input.context.pointee.streams[packet.streamIndex] else { return }
        let timeBase = stream.pointee.time_base
        if let told = packet.decodeTime ?? packet.presentationTime {
            let time = rescale(told, from: timeBase, to: microseconds)
            if let last = lastTimes[packet.streamIndex], hasDiscontinuities,
                abs(time + shift - last) > Self.discontinuityMicroseconds
            {
                shift = last - time + max(1, rescale(packet.duration, from: timeBase, to: microseconds))
            }
            lastTimes[packet.streamIndex] = time + shift
            let end = time + shift + rescale(max(0, packet.duration), from: timeBase, to: microseconds)
            endMicroseconds = max(endMicroseconds, end)
        } else if lastTimes[packet.streamIndex] == nil {
            lastTimes[packet.streamIndex] = 0
        }
        let ticks = rescale(shift, from: microseconds, to: timeBase)
        packet.presentationTime = packet.presentationTime.map { $0 + ticks }
        packet.decodeTime = packet.decodeTime.map { $0 + ticks }
    }

    private var hasDiscontinuities: Bool {
        (input.context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0
    }

    // MARK: Damage

    /// A transport stream may lose packets in transmission; an incomplete sample of an MP4 means that the file is
    /// truncated.
    private func checkDamage(_ packet: Packet) throws(LibAVError) {
        guard packet.isCorrupt, input.isMovie else { return }
        throw LibAVError(
            .truncated, file: input.name,
            "is truncated or damaged: a sample at \(seconds(endMicroseconds)) is incomplete")
    }

    /// Throws `truncated` if a sample of an MP4 lies beyond the end of the file.
    private func checkSampleOffsets(of streams: [StreamInfo]) throws(LibAVError) {
        guard input.isMovie else { return }
        for info in streams {
            let stream = input.stream(info)
            let count = libav.avformat_index_get_entries_count(stream)
            for number in 0..<max(0, count) {
                guard let entry = libav.avformat_index_get_entry(stream, number)?.pointee else { continue }
                guard entry.pos <= input.byteCount - Int64(entry.size) else {
                    throw LibAVError(
                        .truncated, file: input.name,
                        "is truncated: sample \(number + 1) of \(count) of stream \(info.index) lies at byte \(entry.pos), "
                            + "beyond the end of the file (\(input.byteCount) bytes)")
                }
            }
        }
    }

    /// Compares durations, for formats that do not say where their packets are. Throws `truncated` if too much is
    /// missing. An MP4's duration is unreliable, and its edit list hides samples that exist.
    private func checkCompleteness() throws(LibAVError) {
        guard !input.isMovie, input.isDurationReliable, let duration = input.durationMicroseconds else { return }
        let missing = Double(duration - endMicroseconds) / 1e6
        let tolerated = max(Self.toleratedMissingSeconds, Double(duration) / 1e6 * Self.toleratedMissingShare)
        guard missing <= tolerated || hasDiscontinuities else {
            throw LibAVError(
                .truncated, file: input.name,
                "is truncated: it ends after \(seconds(endMicroseconds)) of \(seconds(duration))")
        }
    }

    private func seconds(_ microseconds: Int64) -> String {
        let tenths = (microseconds + 50_000) / 100_000
        return "\(tenths / 10).\(abs(tenths % 10)) s"
    }
}
