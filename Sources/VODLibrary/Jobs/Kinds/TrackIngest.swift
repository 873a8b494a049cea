import Catalogue
import LibraryCore
import LibraryDetails
import MediaCore
import MediaFolders
import MediaWorker
import NIOPosix
import Packaging

/// Makes a radio track playable and reads its tags, cover and duration. A track that is not AAC in MP4 is converted for
/// HLS.
struct TrackIngest: Sendable {
    let record: AudioTrackRecord
    let file: FoundFile
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let threadPool: NIOThreadPool

    /// - Parameter onProgress: called on any thread with a fraction from 0 to 1.
    /// - Returns: the record in state `ready`.
    /// - Throws: `WorkerFailure`, and the errors of packaging.
    func run(onProgress: @escaping @Sendable (Double) -> Void) async throws -> AudioTrackRecord {
        try file.checkIsMedium()
        let (path, description) = try await playableMovie(onProgress: onProgress)
        var result = record
        do {
            result.duration = try await cache.inspect(path: path).duration.seconds
            result.mediaPath = path
            result.describe(description)
            if description.hasCoverImage { try await extractCover(into: &result) }
        } catch {
            await threadPool.runToEnd { [derived] in derived.delete(path) }
            throw error
        }
        result.state = .ready
        result.error = nil
        return result
    }

    /// The file itself if it is AAC in MP4 already; otherwise a converted copy.
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
                // The worker converts the file below.
            }
        }
        let output = derived.path(.audio, id: record.id, revision: file.revision, ending: ".m4a")
        let result = try await worker.run(
            WorkerRequest(task: .toAudioMovie(output: output), input: file.path, limits: .conversion),
            onProgress: onProgress)
        guard let description = result.description else {
            throw LibraryError(.unplayable, "the worker returned no description of the file")
        }
        return (output, description)
    }

    /// Extracts the cover. A track is valid without one, so errors other than cancellation are ignored.
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
    /// Stores the tags and properties that the worker has read.
    mutating func describe(_ description: MediaDescription) {
        let tags = description.tags
        // Without tags, the track keeps what was derived from its names when it was registered.
        var details = fileDetails
        details.set(.title, fromFile: tags["title"])
        // AIFF's name of the artist comes last.
        for key in ["author", "album_artist", "artist"] {
            let artists = Self.values(of: tags[key], maximumCharacterCount: DetailField.maximumLineLength)
            details.set(.artist, fromFile: artists.joined(separator: ", "))
        }
        details.set(.album, fromFile: tags["album"])
        details.set(.year, fromFile: (tags["date"] ?? tags["year"]).map { String($0.prefix(4)) })
        details.set(.trackNumber, fromFile: tags["track"].map { String($0.prefix { $0 != "/" }) })
        details.set(.description, fromFile: tags["comment"])
        let genres = Self.values(of: tags["genre"], maximumCharacterCount: DetailField.maximumEntryLength)
        if !genres.isEmpty { details[.genres] = .texts(genres) }
        describeFile(details)
        let audio = description.streams.first { $0.type == "audio" }
        codec = audio?.codec
        sampleRate = audio?.sampleRate
        channels = audio?.channels
        if let exact = description.duration, duration == nil { duration = exact }
    }

    /// The values of a tag with artists or genres, none of them twice. They are separated by semicolons: a comma may be
    /// part of a name.
    private static func values(of tag: String?, maximumCharacterCount: Int) -> [String] {
        var values: [String] = []
        for part in (tag ?? "").split(separator: ";") {
            guard values.count < DetailField.maximumGenreCount,
                let value = TagText.clean(String(part), maximumCharacterCount: maximumCharacterCount),
                !values.contains(where: { $0.lowercased() == value.lowercased() })
            else { continue }
            values.append(value)
        }
        return values
    }
}
