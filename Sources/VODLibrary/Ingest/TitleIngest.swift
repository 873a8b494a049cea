import Codecs
import Catalogue
import Foundation
import ISOBMFF
import MediaCore
import Packaging

/// Makes a title playable: in place where its codecs allow, otherwise by way of a converted copy.
struct TitleIngest: Sendable {
    let record: TitleRecord
    let file: FoundFile
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning

    enum Stage: Sendable {
        case indexing
        case transcoding(progress: Double)
    }

    /// Widths of posters: a card on a phone of high density.
    static let posterWidth = 640

    /// - Parameter onStage: called on any thread.
    /// - Returns: the record as it is to be stored, ready or failed.
    /// - Throws: ``CancellationError`` only.
    func run(onStage: @escaping @Sendable (Stage) -> Void) async throws -> TitleRecord {
        let clock = ContinuousClock()
        let start = clock.now
        var result = record
        do {
            let (title, path, name) = try await playableTitle(onStage: onStage)
            result.describe(title)
            result.mediaPath = path
            result.title = name ?? Self.title(fromFileName: file.name)
            result.state = .ready
            result.error = nil
        } catch let error as CancellationError {
            throw error
        } catch {
            result.state = .failed
            result.error = "\(file.name): \(error)"
        }
        let seconds = (clock.now - start) / .milliseconds(1) / 1_000
        result.ingestSeconds = seconds
        result.progress = nil
        return result
    }

    private func playableTitle(
        onStage: @escaping @Sendable (Stage) -> Void
    ) async throws -> (title: PackagedTitle, path: String, name: String?) {
        guard file.kind != .playlist else {
            throw LibraryError(.unplayable, "a playlist refers to other files; only media files are opened")
        }
        guard file.byteCount > 0 else { throw LibraryError(.unplayable, "the file is empty") }
        if MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: file.name)) {
            onStage(.indexing)
            do {
                let title = try await cache.title(path: file.path)
                return (title, file.path, title.name)
            } catch let error where Self.needsConversion(error) {
                // Falls through to the worker.
            }
        }
        return try await convert(onStage: onStage)
    }

    /// Whether libav may make something playable of a file that cannot be packaged in place. A damaged file is not
    /// converted: half a film that looks whole helps nobody.
    static func needsConversion(_ error: any Error) -> Bool {
        if let error = error as? ISOBMFFError { return error.code == .notISOBaseMedia || error.code == .unsupported }
        if let error = error as? TitlePackagingError { return error.code != .noMedia }
        return false
    }

    private func convert(
        onStage: @escaping @Sendable (Stage) -> Void
    ) async throws -> (title: PackagedTitle, path: String, name: String?) {
        onStage(.transcoding(progress: 0))
        let output = derived.path(.movies, id: record.id, revision: file.revision, ending: ".mp4")
        let result = try await worker.run(
            WorkerRequest(task: .toMovie(output: output), input: file.path, limits: .conversion),
            onProgress: { onStage(.transcoding(progress: $0)) })
        do {
            let title = try await cache.title(path: output)
            return (title, output, result.description?.tags["title"] ?? title.name)
        } catch {
            derived.delete(output)
            throw error
        }
    }

    /// `Summer_party.2024.mp4` is "Summer party.2024".
    static func title(fromFileName name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let ending = MediaKind.fileExtension(of: last)
        let stem = ending.isEmpty ? last : String(last.dropLast(ending.count + 1))
        return stem.replacing("_", with: " ")
    }
}

extension TitleRecord {
    /// What the index tells.
    mutating func describe(_ title: PackagedTitle) {
        duration = title.duration.seconds
        width = title.video?.configuration.videoSize?.width
        height = title.video?.configuration.videoSize?.height
        frameRate = title.video?.frameRate
        videoCodec = title.video?.configuration.name
        audioCodec = title.audio.first?.configuration.name
    }
}
