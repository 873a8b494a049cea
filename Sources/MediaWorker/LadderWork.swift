import Glibc
import ISOBMFF
import LibAV
import MediaCore
import Packaging
package import Transcoding

/// A worker's task for a ladder. It does not contain the plan, which the worker derives from the same file.
package struct LadderWork: Codable, Sendable, Equatable {
    /// A step of making a ladder.
    package enum Step: Codable, Sendable, Equatable {
        /// Encodes one chunk in all renditions.
        ///
        /// - Parameters:
        ///   - part: the name of the chunk in the plan.
        ///   - encoder: libav's name of the encoder.
        case encode(part: String, encoder: String, threadCount: Int)
        /// Joins all chunks of a rendition.
        case join(rung: Int)
        /// Encodes audio with few bits. The result's `firstTime` is the time in microseconds by which it begins after
        /// the track that was encoded.
        ///
        /// - Parameters:
        ///   - number: the number in file names.
        ///   - source: the name of the title's rendition.
        case audio(number: Int, source: String)
    }

    package var step: Step
    /// The folder of chunks and movies.
    package var folder: String
    package var rungs: [LadderRung]
    /// The number of workers for which the plan is made.
    package var workerCount: Int
    /// The job's own folder, from which finished files are moved to `outputs`; `nil` in requests that have none yet.
    package var outputFolder: String?

    package init(step: Step, folder: String, rungs: [LadderRung], workerCount: Int) {
        self.step = step
        self.folder = folder
        self.rungs = rungs
        self.workerCount = workerCount
    }

    /// Final paths of the files that the step makes.
    var outputs: [String] {
        let folder = LadderFolder(path: folder)
        return switch step {
        case .encode(let part, _, _): rungs.map { folder.chunkPath(part, $0) }
        case .join(let rung): rungs.indices.contains(rung) ? [folder.moviePath(rungs[rung])] : []
        case .audio(let number, _): [folder.audioPath(number)]
        }
    }
}

extension LadderWork {
    /// Path in the job's folder of a file whose final place is `path`.
    fileprivate func stagingPath(_ path: String) throws(LadderWorkError) -> String {
        guard let outputFolder else { throw LadderWorkError("the worker has no folder to write to") }
        return "\(outputFolder)/\(FilePathText.name(of: path))"
    }
}

extension WorkerLimits {
    /// Limits for half a minute of video in several renditions, including 4K on a slow machine.
    ///
    /// - Parameter encoder: libav's name of the encoder.
    package static func ladderChunk(encoder: String) -> WorkerLimits {
        let known = try? LadderEncoder(named: encoder)
        return WorkerLimits(
            addressSpaceByteCount: known?.addressSpaceByteCount ?? 4 << 30, cpuSeconds: 4 * 3600,
            fileByteCount: 16 << 30, wallClockSeconds: 4 * 3600)
    }
}

extension WorkerTask {
    func carryOut(_ work: LadderWork) throws -> WorkerResult {
        let file = try MediaFile(path: request.input)
        // The decision about the omitted tracks was made when the title was ingested.
        let title = try PackagedTitle(
            index: MovieIndex.read(from: file, damagedTracks: .leaveOut), file: file, leavesOutUnsupported: true)
        if case .audio(let number, let name) = work.step {
            let output = try work.stagingPath(LadderFolder(path: work.folder).audioPath(number))
            return try encodeAudio(named: name, of: title, to: output)
        }
        guard let video = title.video else {
            throw LibAVError(.noMedia, file: IngestWorker.fileName(request), "has no video")
        }
        let plan = try LadderPlan(video, workerCount: work.workerCount)
        let folder = LadderFolder(path: work.folder)
        switch work.step {
        case .encode(let name, let encoderName, let threadCount):
            guard let part = plan.parts.first(where: { $0.name == name }) else {
                throw LadderWorkError("the file changed while its renditions were made")
            }
            let encoder = try LadderEncoder(named: encoderName)
            return try encode(part, of: title, video, work: work, encoder: encoder, threadCount: threadCount)
        case .join(let rung):
            guard work.rungs.indices.contains(rung) else { return WorkerResult() }
            let output = try work.stagingPath(folder.moviePath(work.rungs[rung]))
            return try join(work.rungs[rung], plan, folder, to: output)
        case .audio: return WorkerResult()
        }
    }

    private func encodeAudio(named name: String, of title: PackagedTitle, to output: String) throws -> WorkerResult {
        guard let rendition = title.rendition(named: name[...]), rendition.track.mediaType == .audio else {
            throw LadderWorkError("the file changed while its renditions were made")
        }
        let input = try openInput().file
        var result = WorkerResult()
        try AtomicOutput.write(output) { part in
            let encoding = try LadderAudioEncoding(input, trackID: rendition.track.id)
            try encoding.write(to: part) { events.writeProgress($0) }
            let made = try Self.emptyDuration(ofTrack: nil, in: MediaFile(path: part))
            let source = try Self.emptyDuration(ofTrack: rendition.track.id, in: title.file)
            result.firstTime = (made - source).converted(to: .microseconds).value
        }
        return result
    }

    /// The time by which the edit list delays a track; `nil` names the first one.
    private static func emptyDuration(ofTrack id: UInt32?, in file: MediaFile) throws -> MediaTime {
        try MovieIndex.read(from: file, damagedTracks: .leaveOut).tracks.first { id == nil || $0.track.id == id }?
            .edit.emptyDuration ?? .zero(.microseconds)
    }

    private func encode(
        _ part: LadderPlan.Part, of title: PackagedTitle, _ video: PackagedRendition, work: LadderWork,
        encoder: LadderEncoder, threadCount: Int
    ) throws -> WorkerResult {
        let input = try openInput().file
        try AtomicOutput.writeAll(try work.outputs.map(work.stagingPath)) { parts in
            let encoding = try LadderEncoding(
                input, chunk: part.chunk, frameTimes: Self.frameTimes(of: part, in: video), encoder: encoder,
                outputs: zip(work.rungs, parts).map { LadderEncoding.Output(rung: $0, path: $1) },
                threadCount: threadCount)
            var sample: TimedSample? = video.firstSample(ofSegment: part.firstSegment)
            let length = max(1, part.duration * Double(part.chunk.timescale))
            let start = Double(part.chunk.groupStarts.first ?? 0)
            try encoding.write(
                next: {
                    guard let current = sample else { return nil }
                    sample = video.sample(after: current)
                    return LadderEncoding.Sample(
                        bytes: try title.file.read(at: current.range.offset, count: current.range.byteCount),
                        presentationTime: current.presentationTime, decodeTime: current.decodeTime,
                        isSync: current.isSync)
                },
                progress: { events.writeProgress((Double($0) - start) / length) })
        }
        return WorkerResult()
    }

    /// The presentation times of all frames, in ascending order.
    private static func frameTimes(of part: LadderPlan.Part, in video: PackagedRendition) -> [Int64] {
        var times: [Int64] = []
        var sample: TimedSample? = video.firstSample(ofSegment: part.firstSegment)
        var laterCount = 0
        while let current = sample, laterCount <= maximumReorderedFrameCount {
            if let end = part.chunk.end, current.presentationTime >= end {
                laterCount += 1
            } else {
                times.append(current.presentationTime)
            }
            sample = video.sample(after: current)
        }
        return times.sorted()
    }

    /// Limit on frames after the end of a chunk that are examined: H.264 and HEVC reorder at most 16 frames.
    private static let maximumReorderedFrameCount = 16

    private func join(
        _ rung: LadderRung, _ plan: LadderPlan, _ folder: LadderFolder, to output: String
    ) throws -> WorkerResult {
        let pieces = plan.parts.map {
            LadderJoining.Piece(path: folder.chunkPath($0.name, rung), start: $0.chunk.groupStarts.first ?? 0)
        }
        let joining = LadderJoining(timescale: plan.timescale, end: plan.end, interruption: interruption)
        var result = WorkerResult()
        try AtomicOutput.write(output) { part in
            let outcome = try joining.write(pieces, to: part, file: IngestWorker.fileName(request)) {
                events.writeProgress($0)
            }
            result.firstTime = outcome.start
        }
        return result
    }
}

extension AtomicOutput {
    /// Suffix of files that are written in one run, before each has its own `partialSuffix`.
    static let jointSuffix = ".joint"

    /// Writes several files in one run; each of them is complete or does not exist.
    static func writeAll(_ paths: [String], _ body: (_ parts: [String]) throws -> Void) throws {
        // The files are written under names of their own first, and then each is renamed as a single file would be.
        let parts = paths.map { $0 + jointSuffix + partialSuffix }
        defer { for part in parts { unlink(part) } }
        try body(parts)
        for (part, path) in zip(parts, paths) {
            try write(path) { if rename(part, $0) != 0 { throw Failure("rename to", path) } }
        }
    }
}
