import Glibc
import ISOBMFF
import LibAV
import Packaging
import Transcoding

/// Performs one request in this process.
struct WorkerTask {
    var request: WorkerRequest
    var interruption: Interruption
    var events: WorkerEventWriter

    func run() throws -> WorkerResult {
        if case .slate(let output, let shape) = request.task { return try makeSlate(output, shape) }
        if case .image(let work) = request.task { return try carryOut(work) }
        if case .ladder(let work) = request.task { return try carryOut(work) }
        let (input, hiddenTracks) = try openInput()
        let description = MediaDescription(input)
        events.write(.probed(description))
        var result = WorkerResult(description: description)
        result.leftOut = hiddenTracks.isEmpty ? nil : hiddenTracks
        switch request.task {
        case .probe, .slate, .image, .ladder: break
        case .toMovie(let output): try convert(input, to: output, .videoAndAudio, &result)
        case .toTranscodedMovie(let output):
            try convert(input, to: output, .videoAndAudio, copying: .nothing, &result)
        case .toAudioMovie(let output): try convert(input, to: output, .audioOnly, &result)
        case .poster(let output, let width):
            let bytes = try PosterMaking(input).jpeg(width: width)
            try AtomicOutput.write(output) { try AtomicOutput.writeBytes(bytes, to: $0) }
        case .cover(let output):
            guard let cover = input.coverImage(), let type = CoverType(rawValue: cover.fileExtension) else { break }
            try AtomicOutput.write("\(output).\(type.rawValue)") { try AtomicOutput.writeBytes(cover.bytes, to: $0) }
            result.cover = type
        }
        return result
    }

    /// Opens the request's file. If libav refuses a movie because of tracks that cannot be read, those tracks are
    /// hidden from it. A movie with an encrypted track is refused.
    ///
    /// - Returns: the file, and human-readable descriptions of the hidden tracks with the reasons.
    func openInput(formats: InputFile.Formats = .media) throws -> (file: InputFile, hiddenTracks: [String]) {
        let path = request.input
        let failure: LibAVError
        do throws(LibAVError) {
            let input = try InputFile(path: path, formats: formats, interruption: interruption)
            if input.isMovie { try refuseEncrypted() }
            return (input, [])
        } catch {
            failure = error
        }
        guard failure.code == .damaged else { throw failure }
        // libav takes the tables of encrypted samples for damage.
        try refuseEncrypted()
        guard let tracks = try? MovieIndex.damagedTracks(in: MediaFile(path: path)),
            !tracks.isEmpty
        else { throw failure }
        let input = try InputFile(
            path: path, formats: formats, hiddenBoxOffsets: tracks.map(\.boxOffset),
            interruption: interruption)
        return (input, tracks.map(\.text))
    }

    private func refuseEncrypted() throws(LibAVError) {
        let path = request.input
        guard let reason = (try? MovieIndex.encryption(in: MediaFile(path: path))) ?? nil else { return }
        throw LibAVError(.encrypted, file: IngestWorker.fileName(request), reason)
    }

    private func makeSlate(_ output: String, _ shape: SlateShape) throws -> WorkerResult {
        let input = request.input.isEmpty ? nil : try openInput(formats: .mediaAndImages).file
        let conversion = SlateConversion(
            input,
            shape: SlateConversion.Shape(
                width: shape.width, height: shape.height, frameRate: shape.frameRate,
                frameRateDivisor: shape.frameRateDivisor, keyFrameInterval: shape.keyFrameInterval,
                maximumSeconds: Int(Slate.maximumDuration.components.seconds), sampleRate: shape.sampleRate,
                channelCount: shape.channelCount ?? 2, title: shape.title))
        try AtomicOutput.write(output) { try conversion.write(to: $0) }
        return WorkerResult(description: input.map(MediaDescription.init))
    }

    private func convert(
        _ input: InputFile, to output: String, _ content: MovieConversion.Content, _ result: inout WorkerResult
    ) throws {
        do {
            try convert(input, to: output, content, copying: .allStreams, &result)
        } catch let error as LibAVError where error.code == .streamRefused || error.code == .pictureOrderUnknown {
            result.note = error.reason
            let again = try openInput().file
            let copying: MovieConversion.Copying = error.code == .streamRefused ? .nothing : .audioOnly
            try convert(again, to: output, content, copying: copying, &result)
        }
    }

    private func convert(
        _ input: InputFile, to output: String, _ content: MovieConversion.Content, copying: MovieConversion.Copying,
        _ result: inout WorkerResult
    ) throws {
        let hiddenTracks = result.leftOut ?? []
        let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var conversion = MovieConversion(input, threadCount: processorCount, copying: copying)
        try AtomicOutput.write(output) { part in
            let outcome = try conversion.write(to: part, content: content) { events.writeProgress($0) }
            try MovieLanguages.write(outcome.languages, to: part)
            result.copiedStreams = outcome.copiedStreamCount
            result.transcodedStreams = outcome.transcodedStreamCount
            result.leftOut = hiddenTracks + outcome.leftOut.map(\.description)
            if content == .videoAndAudio { try ConvertedSubtitles.write(outcome, besideMovieAt: output) }
        }
    }
}

extension MediaDescription {
    init(_ input: InputFile) {
        self.init(
            container: input.formatName,
            duration: input.duration,
            streams: input.streams.filter { !$0.isCoverImage }.map(StreamDescription.init),
            tags: input.tags,
            hasCoverImage: input.hasCoverImage
        )
    }
}

extension StreamDescription {
    init(_ stream: StreamInfo) {
        self.init(
            index: stream.index,
            type: stream.kind.rawValue,
            codec: stream.codecName,
            width: stream.width,
            height: stream.height,
            frameRate: stream.frameRate.flatMap { $0.isFinite ? $0 : nil },
            sampleRate: stream.sampleRate,
            channels: stream.channelCount
        )
        language = stream.language
        shownSize = stream.shownSize
    }
}
