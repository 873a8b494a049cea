package import APIContract
package import APIDeclarations
package import Catalogue
import Foundation
import HLSPlaylist
import LibraryCore
import MediaCore
import Packaging

extension APIResources {
    /// The JSON of a job.
    package static func job(_ job: JobRecord) -> APIObject<JobFields> {
        JobFields.object { f in
            [
                f.id("\(job.number)"), f.kind(job.kind.rawValue), f.file(job.file), f.state(job.state.rawValue),
                f.phase(job.phase), f.progress(job.progress), f.error(job.error), f.message(job.message),
                f.attempt(job.attempt), f.priority(job.priority), f.url(publicAddress(job.origin)),
                f.byteCount(job.byteCount.map { Int(clamping: $0) }), f.createdAt(date(job.createdAt)),
                f.startedAt(job.startedAt.map(date)), f.endedAt(job.endedAt.map(date)),
                f.resource(resource(of: job)),
            ]
        }
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

    /// A time to the millisecond.
    static func date(_ date: Date) -> APITime { APITime(ProgramDateTime(WallClockTime(date)).description) }
}
