import Catalogue
import MediaCore
import NIOPosix
import Packaging

/// Makes a radio track playable and finds out what it is: tags, cover, duration; and AAC for HLS where it is not that
/// already.
struct TrackIngest: Sendable {
    let record: AudioTrackRecord
    let file: FoundFile
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let threadPool: NIOThreadPool

    /// - Parameter onProgress: 0 to 1, called on any thread.
    /// - Returns: the record, ready.
    /// - Throws: ``WorkerFailure``, and what packaging throws.
    func run(onProgress: @escaping @Sendable (Double) -> Void) async throws -> AudioTrackRecord {
        try file.checkIsMedium()
        let (path, description) = try await playableMovie(onProgress: onProgress)
        var result = record
        do {
            result.duration = try await cache.inspect(path: path).duration.seconds
            result.mediaPath = path
            result.describe(description)
            if description.hasAttachedPicture { try await extractCover(into: &result) }
        } catch {
            await threadPool.runToEnd { [derived] in derived.delete(path) }
            throw error
        }
        result.state = .ready
        result.error = nil
        return result
    }

    /// The file itself where it is AAC in MP4 already; otherwise a converted copy.
    private func playableMovie(
        onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> (path: String, description: MediaDescription) {
        if MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: file.name)) {
            do {
                _ = try await cache.inspect(path: file.path)
                let probed = try await worker.run(
                    WorkerRequest(task: .probe, input: file.path, limits: .inspection), onProgress: { _ in })
                if let description = probed.description { return (file.path, description) }
            } catch let error where TitleIngest.needsConversion(error) {
                // Falls through to the worker.
            }
        }
        let output = derived.path(.audio, id: record.id, revision: file.revision, ending: ".m4a")
        let result = try await worker.run(
            WorkerRequest(task: .toAudioMovie(output: output), input: file.path, limits: .conversion),
            onProgress: onProgress)
        guard let description = result.description else {
            throw LibraryError(.unplayable, "the worker did not say what is in it")
        }
        return (output, description)
    }

    /// A track without its cover is still a track.
    private func extractCover(into record: inout AudioTrackRecord) async throws {
        let output = derived.path(.covers, id: record.id, revision: file.revision, ending: "")
        do {
            let result = try await worker.run(
                WorkerRequest(task: .cover(output: output), input: file.path, limits: .inspection),
                onProgress: { _ in })
            record.cover = result.cover.map { "\(output).\($0.rawValue)" }
            record.coverMediaType = result.cover?.mediaType
        } catch let error as CancellationError {
            throw error
        } catch {
            record.cover = nil
            record.coverMediaType = nil
        }
    }
}

extension AudioTrackRecord {
    mutating func describe(_ description: MediaDescription) {
        let tags = description.tags
        // Otherwise it has a name of its file's since it was registered.
        if let tag = TagText.clean(tags["title"]) { title = tag }
        artist = TagText.clean(tags["artist"]) ?? TagText.clean(tags["album_artist"])
        album = TagText.clean(tags["album"])
        genre = TagText.clean(tags["genre"])
        year = (tags["date"] ?? tags["year"]).flatMap { Int($0.prefix(4)) }.flatMap {
            (1...9_999).contains($0) ? $0 : nil
        }
        trackNumber = tags["track"].flatMap { Int($0.prefix { $0 != "/" }) }.flatMap { $0 > 0 ? $0 : nil }
        let audio = description.streams.first { $0.type == "audio" }
        codec = audio?.codec
        sampleRate = audio?.sampleRate
        channels = audio?.channels
        if let exact = description.duration, duration == nil { duration = exact }
    }
}
