import Catalogue
import Codecs
import Foundation
import ISOBMFF
import MediaCore
import NIOPosix
import Packaging

/// Makes a title playable: in place where its codecs allow, otherwise by way of a converted copy.
struct TitleIngest: Sendable {
    let record: TitleRecord
    let file: FoundFile
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let threadPool: NIOThreadPool

    struct PlayableTitle: Sendable {
        var packaged: PackagedTitle
        /// Of the MP4 that is packaged.
        var path: String
        var name: String
        /// Streams of the file that are not in it, and why.
        var leftOut: [String] = []
        /// Why it is not what its codecs would have allowed.
        var note: String?
    }

    /// Width of posters: a card on a phone of high density.
    static let posterWidth = 640

    /// The title as it is.
    ///
    /// - Parameters:
    ///   - onlyAtOnce: not where that takes longer than a moment.
    ///   - onRefusal: told why it has to be converted.
    /// - Returns: `nil` where it has to be converted, or would take longer.
    /// - Throws: where the file is damaged or refused.
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

    /// The title by way of a copy that the worker makes: of its streams where HLS takes them, and where that leads to
    /// nothing that can be packaged, of what they decode to.
    ///
    /// - Throws: ``WorkerFailure`` and what packaging the copy throws.
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

    /// The file as it is, without the tracks that neither Antena nor libav can read: a conversion would bring no more.
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

    /// The file as it is without the tracks that nothing reads.
    ///
    /// - Returns: `nil` if that is not what keeps the file from being packaged in place, or if the worker can open the
    ///   file: then a full disk or a limit has ended the conversion, and another one may bring all tracks.
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
        PlayableTitle(packaged: packaged, path: file.path, name: name(from: packaged.name), leftOut: packaged.leftOut)
    }

    private func convert(
        _ task: WorkerRequest.Task, to output: String, onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> PlayableTitle {
        let texts = TitleTexts.folder(ofMovieAt: output)
        try await threadPool.runIfActive { [derived] in try derived.makeFolder(texts) }
        do {
            let result = try await worker.run(
                WorkerRequest(task: task, input: file.path, limits: .conversion),
                onProgress: onProgress)
            // Most files say nothing.
            _ = try await threadPool.runIfActive { rmdir(texts) }
            let packaged = try await cache.inspect(path: output)
            return PlayableTitle(
                packaged: packaged, path: output, name: name(from: result.description?.tags["title"] ?? packaged.name),
                leftOut: result.leftOut ?? [], note: result.note)
        } catch {
            await threadPool.runToEnd { [derived] in
                derived.delete(output)
                derived.delete(texts)
            }
            throw error
        }
    }

    /// The record has a name of its file's since it was registered.
    private func name(from tag: String?) -> String { TagText.clean(tag) ?? record.title }

    /// Whether libav may make something playable of a file that cannot be packaged in place. One that ends early is not
    /// converted: half a film that looks whole helps nobody. Whether one that contradicts itself is whole, the worker
    /// finds out.
    static func needsConversion(_ error: any Error) -> Bool {
        if let error = error as? ISOBMFFError {
            return [.notISOBaseMedia, .unsupported, .invalid].contains(error.code)
        }
        if let error = error as? TitlePackagingError { return error.code != .noMedia }
        return false
    }
}

/// Text that a file's author wrote into it.
enum TagText {
    /// No title or artist is longer, and what lists show has to fit.
    static let maximumCharacterCount = 300

    /// On one line and without blanks around it; `nil` where nothing is left.
    static func clean(_ tag: String?, maximumCharacterCount: Int = Self.maximumCharacterCount) -> String? {
        guard let tag else { return nil }
        // Characters can be of any length, so it is scalars that are counted.
        let scalars = String(String.UnicodeScalarView(tag.unicodeScalars.prefix(maximumCharacterCount * 4)))
        let text = UntrustedText.stripped(scalars, maximumCharacterCount: .max)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : String(text.prefix(maximumCharacterCount))
    }
}

extension FoundFile {
    /// Before anything opens it.
    ///
    /// - Throws: ``LibraryError``
    func checkIsMedium() throws(LibraryError) {
        guard kind != .playlist else {
            throw LibraryError(.unplayable, "a playlist refers to other files; only media files are opened")
        }
        guard byteCount > 0 else { throw LibraryError(.unplayable, "the file is empty") }
    }
}

extension TitleRecord {
    mutating func becomeReady(_ title: TitleIngest.PlayableTitle) {
        self.title = title.name
        mediaPath = title.path
        leftOut = title.leftOut.isEmpty ? nil : title.leftOut.joined(separator: "; ")
        state = .ready
        error = nil
        duration = title.packaged.duration.seconds
        width = title.packaged.video?.configuration.videoSize?.width
        height = title.packaged.video?.configuration.videoSize?.height
        frameRate = title.packaged.video?.frameRate
        videoCodec = title.packaged.video?.configuration.name
        audioCodec = title.packaged.audio.first?.configuration.name
    }
}
