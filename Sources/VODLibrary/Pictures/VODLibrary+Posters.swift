package import Catalogue
import Foundation
package import NIOCore
import NIOPosix

extension VODLibrary {
    /// Of an uploaded picture: a photograph of 24 megapixels.
    package static let maximumPosterByteCount = 16 << 20
    /// Requests at once; more are refused. Each starts a worker.
    static let maximumPosterRequestCount = 4

    /// Chooses the picture that is shown at a time as a title's poster; for a title that is not ready yet, for when it
    /// is.
    ///
    /// - Parameter seconds: `nil` for the picture that is chosen by itself.
    /// - Returns: the title with its new poster; `nil` where there is none with that id.
    /// - Throws: ``LibraryError`` where there is no such time, or no picture then; the poster stays as it was.
    package func setPoster(ofTitle id: String, at seconds: Double?) async throws -> TitleRecord? {
        guard var record = try await catalogue.title(id: id) else { return nil }
        if let seconds {
            guard seconds.isFinite, seconds >= 0 else {
                throw LibraryError(.unplayable, "a poster's time is a number of seconds from 0 on")
            }
            guard seconds <= record.duration ?? .infinity else {
                throw LibraryError(
                    .unplayable, "\(record.file) ends after \(record.duration ?? 0) s, before the time of the poster")
            }
        }
        record.posterTime = seconds
        record.uploadedPoster = nil
        guard record.state == .ready else {
            let change = try await catalogue.changePictures(ofTitle: id, revision: nil) { pictures in
                pictures.posterTime = seconds
                pictures.uploadedPoster = nil
            }
            guard let change else { return nil }
            await deleteDerived([change.old.uploadedPoster])
            // It may have become ready meanwhile.
            await queuePoster(for: change.new)
            return change.new
        }
        guard record.videoCodec != nil else {
            throw LibraryError(.unplayable, "\(record.file) has no video, so it cannot have a poster")
        }
        let inputs = record.mediaPath.map { [$0: record.file] } ?? [:]
        let path = try await asRequested(forTitle: id, namingInputs: inputs) { try await makePoster(of: record) }
        return try await keepPoster(path, ofTitle: id, revision: record.revision) { pictures in
            pictures.posterTime = seconds
            pictures.uploadedPoster = nil
        }
    }

    /// Makes a picture that an operator sends a title's poster; it stays when the file is replaced.
    ///
    /// - Parameter picture: a JPEG or PNG file; what it holds is looked at by a worker alone.
    /// - Returns: as above.
    /// - Throws: ``LibraryError`` where it is no picture.
    package func setPoster(ofTitle id: String, to picture: ByteBuffer) async throws -> TitleRecord? {
        guard try await catalogue.title(id: id) != nil else { return nil }
        guard picture.readableBytes <= Self.maximumPosterByteCount else {
            throw LibraryError(.limitExceeded, "posters are limited to \(Self.maximumPosterByteCount >> 20) MiB")
        }
        // No record names them: a kill leaves nothing behind that the next start does not delete.
        let source = derived.path(.posters, id: id, revision: UUID().uuidString, ending: ".upload")
        let output = derived.path(.posters, id: id, revision: UUID().uuidString, ending: ".jpg")
        defer { threadPool.submit { [derived] _ in derived.delete(source) } }
        try await asRequested(forTitle: id, namingInputs: [source: "the image that was sent"]) {
            try await threadPool.runIfActive {
                try Data(picture.readableBytesView).write(to: URL(filePath: source))
            }
            _ = try await worker.run(
                WorkerRequest(
                    task: .picture(.upload(output: output, width: TitleIngest.posterWidth)), input: source,
                    limits: .inspection), onProgress: { _ in })
        }
        await deleteDerived([source])
        return try await keepPoster(output, ofTitle: id, revision: nil) { pictures in
            pictures.posterTime = nil
            pictures.uploadedPoster = output
        }
    }

    /// A title without a poster plays all the same, so a failure here is only logged.
    func makePoster(_ job: IngestJob) async throws -> JobOutcome {
        guard let record = try await catalogue.title(id: job.id), record.needsPoster(in: derived) else { return .moot }
        let path = try await makePoster(of: record)
        let (time, uploaded) = (record.posterTime, record.uploadedPoster)
        let change = try await catalogue.changePictures(ofTitle: record.id, revision: record.revision) { pictures in
            // An operator who wanted another one meanwhile has it already.
            guard pictures.posterTime == time, pictures.uploadedPoster == uploaded else { return }
            pictures.poster = path
        }
        await dropPosters(of: change?.old, besides: change?.new, made: path)
        return change?.new.poster == path ? .ended(.ready) : .moot
    }

    // MARK: One after the other

    private func makePoster(of record: TitleRecord) async throws -> String {
        guard let media = record.mediaPath else { throw LibraryError(.notPossible, "\(record.file) is not ready") }
        let output = record.posterPath(in: derived)
        let request: WorkerRequest
        switch record.posterChoice {
        case .automatic:
            request = WorkerRequest(
                task: .poster(output: output, width: TitleIngest.posterWidth), input: media, limits: .inspection)
        case .moment(let seconds):
            let work = PictureWork.moment(output: output, width: TitleIngest.posterWidth, seconds: seconds)
            request = WorkerRequest(task: .picture(work), input: media, limits: .pictures)
        case .uploaded(let path): return path
        }
        _ = try await worker.run(request, onProgress: { _ in })
        return output
    }

    /// - Parameters:
    ///   - revision: which the poster is of; `nil` where it goes with every one.
    ///   - wish: what the operator wants.
    private func keepPoster(
        _ path: String, ofTitle id: String, revision: String?,
        _ wish: @escaping @Sendable (inout TitlePictures) -> Void
    ) async throws -> TitleRecord? {
        let change = try await catalogue.changePictures(ofTitle: id, revision: revision) { pictures in
            wish(&pictures)
            pictures.poster = path
        }
        await dropPosters(of: change?.old, besides: change?.new, made: path)
        return change?.new
    }

    /// What a title had and has no longer; and what was made for one that was deleted or replaced meanwhile.
    private func dropPosters(of old: TitleRecord?, besides new: TitleRecord?, made path: String) async {
        await deleteDerived(
            [old?.poster, old?.uploadedPoster, path].filter { $0 != new?.poster && $0 != new?.uploadedPoster })
    }

    /// An operator waits for it. One at a time for each title: two would delete each other's.
    ///
    /// - Parameter inputs: what people call the files that workers open, keyed by path: the library's own names say
    ///   nothing to them.
    private func asRequested<Result>(
        forTitle id: String, namingInputs inputs: [String: String], _ body: () async throws -> Result
    ) async throws -> Result {
        guard postersBeingMade.count < Self.maximumPosterRequestCount, !postersBeingMade.contains(id) else {
            throw LibraryError(
                .limitExceeded, "\(postersBeingMade.count) posters are being made; try again in a moment")
        }
        postersBeingMade.insert(id)
        defer { postersBeingMade.remove(id) }
        do {
            return try await body()
        } catch let error as WorkerFailure {
            let reason = inputs.reduce(error.reason) { reason, input in
                reason.replacing(FilePathText.name(of: input.key), with: input.value)
            }
            throw LibraryError(.unplayable, reason)
        }
    }
}
