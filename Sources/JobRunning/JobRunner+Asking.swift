package import Catalogue
import Foundation
package import LibraryCore

/// Questions about jobs that are waiting or running.
extension JobRunner {
    /// True if no job is waiting or running.
    package var isEmpty: Bool { running.isEmpty && queue.count == 0 && cancellations.isEmpty }

    func waitingCount(in lane: JobLane) -> Int { queue.jobs(in: lane).count }

    /// The IDs of titles or tracks with a job that holds their file.
    package func busyIDs(in section: LibrarySection) -> Set<String> {
        let jobs = queue.jobs + running.values.map(\.job) + cancellations.values.map(\.job)
        return Set(
            jobs.lazy.filter { [kinds] job in
                kinds[job.kind].map { $0.holdsFile && $0.section == section } ?? false
            }.map(\.id))
    }

    /// The running jobs, longest first.
    package func runningStatuses() -> [JobStatus] {
        running.values.map { running in
            JobStatus(
                id: running.job.id, kind: running.job.kind, file: running.job.fileName, state: running.state,
                progress: running.progress, startedAt: running.startedAt)
        }.sorted { ($0.startedAt ?? .distantPast, $0.id) < ($1.startedAt ?? .distantPast, $1.id) }
    }

    /// All jobs, the running ones first.
    package func statuses() -> [JobStatus] {
        runningStatuses() + queue.jobs.map { JobStatus(id: $0.id, kind: $0.kind, file: $0.fileName, state: .queued) }
    }

    package func openRecord(_ key: JobKey) -> JobRecord? { ledger.open[key] }

    package func openCount(of kind: JobKind) -> Int { ledger.open.keys.count { $0.kind == kind } }

    /// The records of the jobs that are waiting or running for a title or track.
    package func openRecords(of id: String, in section: LibrarySection) -> [JobRecord] {
        openKeys(of: id, in: section).compactMap { ledger.open[$0] }
    }

    func openKeys(of id: String, in section: LibrarySection) -> [JobKey] {
        ledger.open.keys.filter { $0.item == id && kinds[$0.kind]?.section == section }
    }

    /// The IDs of the titles or tracks that have an open job of that kind.
    package func openSubjects(of kind: JobKind) -> Set<String> {
        Set(ledger.open.keys.lazy.filter { $0.kind == kind }.compactMap(\.item))
    }
}
