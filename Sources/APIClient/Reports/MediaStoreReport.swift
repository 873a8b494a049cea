package import APIContract
package import APIDeclarations

/// The output of `antena media status`.
package struct MediaStoreReport: Sendable {
    /// The server's answer.
    package let answer: APIObject<MediaStoreFields>

    package init(answer: APIObject<MediaStoreFields>) { self.answer = answer }

    /// The number of files that wait to be moved; `nil` until they have been counted.
    var waitingCount: Int? { answer.waitingCount }
    var movedCount: Int { answer.movedCount ?? 0 }
    var movedByteCount: Int { answer.movedByteCount ?? 0 }
    /// The reason why the last file could not be moved; `nil` if it was.
    var error: String? { answer.error }

    package var text: String {
        var lines = [
            "media store: \(answer.address ?? "")",
            "files in it: \(answer.storedCount ?? 0), \((answer.storedByteCount ?? 0) >> 20) MiB",
        ]
        let place = answer.destination == "folder" ? "the server's folders" : "the media store"
        switch waitingCount {
        case nil: lines.append("files that move to \(place): not counted yet")
        case 0?: lines.append("all files that can be moved are in \(place)")
        case let count?: lines.append("files that move to \(place): \(count)")
        }
        if let error { lines.append("last problem: \(error)") }
        return lines.joined(separator: "\n")
    }
}

extension ServerClient {
    /// One request may read a whole film.
    private static let verificationTimeout = Duration.seconds(6 * 3_600)

    /// The server's media store.
    ///
    /// - Throws: ``ServerClientError``
    package func mediaStore() async throws -> MediaStoreReport {
        MediaStoreReport(answer: try await send(MediaStoreAPI.getMediaStore))
    }

    /// Makes the server move its files.
    ///
    /// - Parameter destination: `store`, `folder` or the address of the store.
    /// - Throws: ``ServerClientError``
    func moveMedia(to destination: String) async throws -> MediaStoreReport {
        MediaStoreReport(
            answer: try await send(
                MediaStoreAPI.moveMedia, body: MediaMoveFields.request { [$0.to(destination)] }))
    }

    /// Compares the files in the media store with what was put there.
    ///
    /// - Parameters:
    ///   - readsContent: whether to read all of each file.
    ///   - report: receives what is wrong with a file, once it is found.
    /// - Throws: ``ServerClientError``
    package func verifyMedia(
        readsContent: Bool, _ report: (String) -> Void
    ) async throws -> MediaVerificationReport {
        var (last, result): (String?, MediaVerificationReport) = (nil, MediaVerificationReport())
        while true {
            let range = MediaVerificationRangeFields.request { [$0.after(last), $0.readsContent(readsContent)] }
            let answer = try await send(MediaStoreAPI.verifyMedia, body: range, timeout: Self.verificationTimeout)
            for problem in answer.problems ?? [] {
                result.problemCount += 1
                report(problem)
            }
            result.fileCount += answer.fileCount ?? 0
            result.byteCount += answer.byteCount ?? 0
            guard answer.isComplete == false, let next = answer.last, next != last else { break }
            last = next
        }
        return result
    }
}
