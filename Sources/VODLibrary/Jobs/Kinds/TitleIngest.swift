import Catalogue
import Codecs
import Foundation
import ISOBMFF
import LibraryCore
import LibraryDetails
import MediaCore
import MediaFolders
import MediaWorker
import NIOPosix
import Packaging

/// Makes a title playable: without conversion if its codecs allow, otherwise by making a converted copy.
struct TitleIngest: Sendable {
    let record: TitleRecord
    let file: FoundFile
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let threadPool: NIOThreadPool

    /// A title that can be packaged.
    struct PlayableTitle: Sendable {
        var packaged: PackagedTitle
        /// Path of the MP4 file that is packaged.
        var path: String
        var name: String
        /// The artist and the album that the file's tags name; `nil` for none.
        var artist, album: String?
        /// Streams of the file that are left out, each with the reason.
        var leftOut: [String] = []
        /// The reason why more was converted than the codecs required; `nil` if that is not the case.
        var note: String?
    }

    /// Width of posters in pixels: a card on a phone with a high pixel density.
    static let posterWidth = 640

    /// Opens the title without conversion.
    ///
    /// - Parameters:
    ///   - onlyAtOnce: whether to give up if that takes longer than a moment.
    ///   - onRefusal: called with the reason why the title has to be converted.
    /// - Returns: `nil` if the title has to be converted, or would take longer.
    /// - Throws: the error of a file that is damaged or refused.
    func index(
        onlyAtOnce: Bool = false, onRefusal: @Sendable (any Error) async -> Void = { _ in }
    ) async throws -> PlayableTitle? {
        try file.checkIsMedium()
        do {
            let packaged =
                onlyAtOnce ? try await cache.inspectAtOnce(path: file.path) : try await cache.inspect(path: file.path)
            return packaged.map(inPlace)
        } catch let error where Self.needsConversion(error) {
            await onRefusal(error)
            return nil
        }
    }

    /// Makes the title playable through a copy that the worker makes. Streams are copied if HLS accepts them; if the
    /// result cannot be packaged, they are decoded and encoded again.
    ///
    /// - Throws: `WorkerFailure`, and the errors of packaging the copy.
    func convert(onProgress: @escaping @Sendable (Double) -> Void) async throws -> PlayableTitle {
        try file.checkIsMedium()
        if let title = await withoutDamagedTracks() { return title }
        let output = derived.path(.movies, id: record.id, revision: file.revision, ending: ".mp4")
        do {
            return try await convert(.toMovie(output: output), to: output, onProgress: onProgress)
        } catch let error where Self.needsConversion(error) {
            var title = try await convert(.toTranscodedMovie(output: output), to: output, onProgress: onProgress)
            title.note = "\(error)"
            return title
        } catch let failure as WorkerFailure {
            guard let title = await withoutUnsupportedTracks() else { throw failure }
            return title
        }
    }

    /// The original file without the tracks that neither Antena nor libav can read: a conversion would not add any.
    ///
    /// - Returns: `nil` if no track is damaged, or if libav can read one that is.
    private func withoutDamagedTracks() async -> PlayableTitle? {
        guard MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: file.name)) else { return nil }
        do {
            _ = try await cache.inspect(path: file.path)
            return nil
        } catch {
            guard let error = error as? ISOBMFFError, error.concernsOneTrack,
                let packaged = try? await cache.inspect(path: file.path, leavesOutUnsupported: true),
                let probed = try? await worker.run(
                    WorkerRequest(task: .probe, input: file.path, limits: .inspection), onProgress: { _ in })
            else { return nil }
            let isUnreadable = Set(probed.leftOut ?? []).isSuperset(of: packaged.leftOut)
            return isUnreadable && !packaged.leftOut.isEmpty ? inPlace(packaged) : nil
        }
    }

    /// The original file without the tracks that cannot be read.
    ///
    /// - Returns: `nil` if something else keeps the file from being packaged without conversion, or if the worker can
    ///   open the file: then a full disk or a limit has ended the conversion, and another attempt may include all
    ///   tracks.
    private func withoutUnsupportedTracks() async -> PlayableTitle? {
        guard MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: file.name)),
            let packaged = try? await cache.inspect(path: file.path, leavesOutUnsupported: true),
            !packaged.leftOut.isEmpty
        else { return nil }
        do {
            _ = try await worker.run(
                WorkerRequest(task: .probe, input: file.path, limits: .inspection), onProgress: { _ in })
            return nil
        } catch {
            return error is WorkerFailure ? inPlace(packaged) : nil
        }
    }

    private func inPlace(_ packaged: PackagedTitle) -> PlayableTitle {
        PlayableTitle(
            packaged: packaged, path: file.path, name: name(from: packaged.name), artist: packaged.artist,
            album: packaged.album, leftOut: packaged.leftOut)
    }

    private func convert(
        _ task: WorkerRequest.Task, to output: String, onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> PlayableTitle {
        let subtitles = ConvertedSubtitles.folder(ofMovieAt: output)
        try await threadPool.runIfActive { [derived] in try derived.makeFolder(subtitles) }
        do {
            let result = try await worker.run(
                WorkerRequest(task: task, input: file.path, limits: .conversion),
                onProgress: onProgress)
            // The folder stays empty for most files, and is removed then.
            _ = try await threadPool.runIfActive { rmdir(subtitles) }
            let packaged = try await cache.inspect(path: output)
            let tags = result.description?.tags ?? [:]
            return PlayableTitle(
                packaged: packaged, path: output, name: name(from: tags["title"] ?? packaged.name),
                artist: tags["artist"] ?? tags["album_artist"], album: tags["album"],
                leftOut: result.leftOut ?? [], note: result.note)
        } catch {
            await threadPool.runToEnd { [derived] in
                derived.delete(output)
                derived.delete(subtitles)
            }
            throw error
        }
    }

    /// The name in the file's tag, or the record's name, which was derived from the file name.
    private func name(from tag: String?) -> String {
        TagText.clean(tag) ?? record.fileDetails.text(.title) ?? record.title
    }

    /// Returns whether libav may make something playable of a file that cannot be packaged without conversion. A
    /// truncated file is not converted, because half a film that looks complete helps nobody. The worker finds out
    /// whether a file that contradicts itself is complete.
    static func needsConversion(_ error: any Error) -> Bool {
        if let error = error as? ISOBMFFError {
            return [.notISOBaseMedia, .unsupported, .invalid].contains(error.code)
        }
        if let error = error as? TitlePackagingError { return ![.noMedia, .encrypted].contains(error.code) }
        return false
    }
}

extension TitleRecord {
    /// Stores what ingesting the title has found out.
    mutating func becomeReady(_ title: TitleIngest.PlayableTitle) {
        var details = fileDetails
        details[.title] = .text(title.name)
        details.set(.artist, fromFile: TagText.clean(title.artist))
        details.set(.album, fromFile: TagText.clean(title.album))
        describeFile(details)
        mediaPath = title.path
        leftOut = title.leftOut.isEmpty ? nil : title.leftOut.joined(separator: "; ")
        state = .ready
        error = nil
        duration = title.packaged.duration.seconds
        width = title.packaged.video?.displaySize?.width
        height = title.packaged.video?.displaySize?.height
        frameRate = title.packaged.video?.frameRate
        videoCodec = title.packaged.video?.configuration.name
        audioCodec = title.packaged.audio.first?.configuration.name
    }
}
