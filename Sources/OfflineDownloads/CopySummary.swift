import Foundation
package import JSONDocument
import MediaCore
import NIOHTTP1

/// A copy as the list of copies shows it.
package struct CopySummary: Sendable, Hashable {
    package var id: String
    package var rental: String
    package var name: String
    package var rendition: String
    package var byteCount: Int64
    package var goodByteCount: Int64
    package var state: StoredCopy.State
    package var isPaused: Bool
    /// The end of the rental (RFC 3339); `nil` before it is known.
    package var endsAt: String?
    /// The file with the title's poster; `nil` without one.
    package var poster: String?

    package var percent: Int { byteCount > 0 ? Int(goodByteCount * 100 / byteCount) : 0 }

    package var json: JSONText {
        .object([
            ("id", .string(id)), ("rental", .string(rental)), ("name", .string(name)),
            ("rendition", .string(rendition)), ("byteCount", .integer(Int(byteCount))),
            ("goodByteCount", .integer(Int(goodByteCount))), ("state", .string(state.rawValue)),
            ("paused", .boolean(isPaused)), ("endsAt", .optional(endsAt)), ("poster", .optional(poster)),
        ])
    }
}

extension OfflineLibrary {
    /// All copies. One whose record is damaged is listed by its ID, so that it can be deleted.
    package func summaries() async throws -> [CopySummary] {
        try await blocking {
            try folder.copies().map { copy in
                guard let record = try? copy.record(), let note = try? copy.note(), let state = try? copy.state() else {
                    return CopySummary(
                        id: copy.id, rental: "", name: "damaged", rendition: "", byteCount: 0, goodByteCount: 0,
                        state: .none, isPaused: copy.isPaused)
                }
                return CopySummary(
                    id: copy.id, rental: record.rental, name: record.name, rendition: record.rendition,
                    byteCount: record.byteCount, goodByteCount: state.goodByteCount, state: state.state,
                    isPaused: copy.isPaused, endsAt: note.endsAt.map { Date($0).formatted(.iso8601) },
                    poster: copy.hasPoster ? copy.posterPath : nil)
            }
        }
    }

    /// Deletes a copy, and tells the server if it answers.
    package func delete(_ copy: StoredCopy) async throws {
        let record = try? await blocking { try copy.record() }
        try await blocking { try copy.delete() }
        guard let record else { return }
        // Nothing depends on what the server knows about it.
        try? await withServer { server, _ in
            _ = try await server.send(
                .PUT, "\(Self.copyPath(record))/state", .object([("state", .string(StoredCopy.State.none.rawValue))]))
        }
    }

    /// Pauses a download, or lets it go on.
    package func setPaused(_ isPaused: Bool, _ copy: StoredCopy) async throws {
        try await blocking { try copy.setPaused(isPaused) }
    }

    /// Whether downloads that were interrupted go on by themselves.
    package func resumesByItself() async throws -> Bool { try await blocking { try folder.resumesByItself() } }

    package func setResumesByItself(_ isWanted: Bool) async throws {
        try await blocking { try folder.setResumesByItself(isWanted) }
    }
}
