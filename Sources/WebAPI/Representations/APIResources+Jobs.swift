package import Catalogue
import Foundation
import HLSPlaylist
package import JSONDocument
import LibraryCore
import MediaCore
import Packaging

extension APIResources {
    /// The JSON of a job.
    package static func job(_ job: JobRecord) -> JSONText {
        .object([
            ("id", .string("\(job.number)")), ("kind", .string(job.kind.rawValue)), ("file", .string(job.file)),
            ("state", .string(job.state.rawValue)), ("phase", .optional(job.phase)),
            ("progress", .optional(job.progress)), ("error", .optional(job.error)),
            ("message", .optional(job.message)), ("attempt", .integer(job.attempt)),
            ("priority", .integer(job.priority)), ("url", .optional(publicAddress(job.origin))),
            ("byteCount", .optional(job.byteCount.map(Int.init(clamping:)))),
            ("createdAt", date(job.createdAt)), ("startedAt", job.startedAt.map(date) ?? .null),
            ("endedAt", job.endedAt.map(date) ?? .null), ("resource", .optional(resource(of: job))),
        ])
    }

    /// The URL of an import without query and fragment, because anyone can read jobs and the query may hold a
    /// signature; `nil` for a file on this machine, whose path is not shown.
    static func publicAddress(_ origin: String?) -> String? {
        guard let origin, origin.hasPrefix("http") else { return nil }
        return String(origin.prefix { $0 != "?" && $0 != "#" })
    }

    static func resource(of job: JobRecord) -> String? {
        guard let subject = job.subject else { return nil }
        return job.section == LibrarySection.tracks.rawValue ? "/api/v1/tracks/\(subject)" : "/api/v1/titles/\(subject)"
    }

    private static func date(_ date: Date) -> JSONText {
        .string(ProgramDateTime(WallClockTime(date)).description)
    }
}
