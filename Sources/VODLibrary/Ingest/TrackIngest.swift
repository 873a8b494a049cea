import MediaCore
import Catalogue
import Foundation
import Packaging

/// Makes a radio track playable and finds out what it is: tags, cover, duration; and AAC for HLS where it is not that
/// already.
struct TrackIngest: Sendable {
    let record: AudioTrackRecord
    let file: FoundFile
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning

    /// - Returns: the record as it is to be stored, ready or failed.
    /// - Throws: ``CancellationError`` only.
    func run(onProgress: @escaping @Sendable (Double) -> Void) async throws -> AudioTrackRecord {
        let clock = ContinuousClock()
        let start = clock.now
        var result = record
        do {
            guard file.kind != .playlist else {
                throw LibraryError(.unplayable, "a playlist refers to other files; only media files are opened")
            }
            guard file.byteCount > 0 else { throw LibraryError(.unplayable, "the file is empty") }
            let (path, description) = try await playableMovie(onProgress: onProgress)
            let title = try await cache.title(path: path)
            result.mediaPath = path
            result.duration = title.duration.seconds
            result.describe(description, fileName: file.name)
            if description.hasAttachedPicture { try await extractCover(into: &result) }
            result.state = .ready
            result.error = nil
        } catch let error as CancellationError {
            throw error
        } catch {
            result.state = .failed
            result.error = "\(file.name): \(error)"
        }
        result.ingestSeconds = (clock.now - start) / .milliseconds(1) / 1_000
        return result
    }

    /// The file itself where it is AAC in MP4 already; otherwise a converted copy.
    private func playableMovie(
        onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> (path: String, description: MediaDescription) {
        if MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: file.name)) {
            do {
                _ = try await cache.title(path: file.path)
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
            record.cover = result.outputs.first
            record.coverMediaType = result.outputs.first.flatMap(Self.mediaType(ofPicture:))
        } catch let error as CancellationError {
            throw error
        } catch {
            record.cover = nil
            record.coverMediaType = nil
        }
    }

    private static func mediaType(ofPicture path: String) -> String? {
        ["jpg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp"][
            MediaKind.fileExtension(of: path)]
    }
}

extension AudioTrackRecord {
    mutating func describe(_ description: MediaDescription, fileName: String) {
        let tags = description.tags
        title = Self.text(tags["title"]) ?? TitleIngest.title(fromFileName: fileName)
        artist = Self.text(tags["artist"]) ?? Self.text(tags["album_artist"])
        album = Self.text(tags["album"])
        genre = Self.text(tags["genre"])
        year = (tags["date"] ?? tags["year"]).flatMap { Int($0.prefix(4)) }.flatMap { (1...9_999).contains($0) ? $0 : nil }
        trackNumber = tags["track"].flatMap { Int($0.prefix { $0 != "/" }) }.flatMap { $0 > 0 ? $0 : nil }
        let audio = description.streams.first { $0.type == "audio" }
        codec = audio?.codec
        sampleRate = audio?.sampleRate
        channels = audio?.channels
        if let exact = description.duration, duration == nil { duration = exact }
    }

    private static func text(_ tag: String?) -> String? {
        guard let tag else { return nil }
        let trimmed = tag.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}
