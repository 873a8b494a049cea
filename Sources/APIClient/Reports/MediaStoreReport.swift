package import JSONDocument
import NIOHTTP1

/// The output of `antena media status`.
package struct MediaStoreReport: Sendable {
    /// The server's answer.
    package let answer: JSONNode

    /// - Parameter answer: `MediaStore` in the OpenAPI description.
    package init(answer: JSONNode) { self.answer = answer }

    /// The number of files that wait to be moved; `nil` until they have been counted.
    var waitingCount: Int? { answer["waitingCount"]?.integer }
    var movedCount: Int { answer["movedCount"]?.integer ?? 0 }
    var movedByteCount: Int { answer["movedByteCount"]?.integer ?? 0 }
    /// The reason why the last file could not be moved; `nil` if it was.
    var error: String? { answer["error"]?.string }

    package var text: String {
        var lines = [
            "media store: \(answer["address"]?.string ?? "")",
            "files in it: \(answer["storedCount"]?.integer ?? 0), \((answer["storedByteCount"]?.integer ?? 0) >> 20) MiB",
        ]
        let place = answer["destination"]?.string == "folder" ? "the server's folders" : "the media store"
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
    private static let path = "/api/v1/media-store"
    /// One request may read a whole film.
    private static let verificationTimeout = Duration.seconds(6 * 3_600)

    /// The server's media store.
    ///
    /// - Throws: ``ServerClientError``
    package func mediaStore() async throws -> MediaStoreReport {
        MediaStoreReport(answer: try await send(.GET, Self.path, nil))
    }

    /// Makes the server move its files.
    ///
    /// - Parameter destination: `store`, `folder` or the address of the store.
    /// - Throws: ``ServerClientError``
    func moveMedia(to destination: String) async throws -> MediaStoreReport {
        MediaStoreReport(
            answer: try await send(.POST, "\(Self.path)/move", .object([("to", .string(destination))])))
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
            let answer = try await send(
                .POST, "\(Self.path)/verify",
                .object([("after", .optional(last)), ("readsContent", .boolean(readsContent))]),
                timeout: Self.verificationTimeout)
            for problem in answer["problems"]?.elements?.compactMap(\.string) ?? [] {
                result.problemCount += 1
                report(problem)
            }
            result.fileCount += answer["fileCount"]?.integer ?? 0
            result.byteCount += answer["byteCount"]?.integer ?? 0
            guard answer["isComplete"]?.boolean == false, let next = answer["last"]?.string, next != last else { break }
            last = next
        }
        return result
    }
}
