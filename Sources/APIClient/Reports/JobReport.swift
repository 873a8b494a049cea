package import APIContract
package import APIDeclarations
import MediaCore

/// The table of `antena jobs`.
package enum JobReport {
    /// - Parameters:
    ///   - jobs: the jobs.
    ///   - nothing: the text instead of a table without rows.
    package static func table(_ jobs: [APIObject<JobFields>], nothing: String) -> String {
        var table = TextTable("ID", "KIND", "STATE", "PROGRESS", "PRIORITY", "ATTEMPT", "FILE", "MESSAGE")
        for job in jobs {
            let progress = job.progress.map { "\(Int((min(1, max(0, $0)) * 100).rounded(.down))) %" } ?? "-"
            table.add(
                job.id.cell, job.kind.cell, job.state.cell, progress, job.priority.cell, job.attempt.cell,
                TextTable.short(job.file.cell), TextTable.short(job.error ?? job.message.cell))
        }
        return table.isEmpty ? nothing : table.text
    }
}

extension ServerClient {
    /// The newest jobs, at most `limit`.
    package func jobs(limit: Int) async throws -> [APIObject<JobFields>] {
        try await items(JobAPI.listJobs, limit: limit)
    }

    /// Cancels a job and returns it.
    package func cancelJob(id: String) async throws -> APIObject<JobFields> { try await send(JobAPI.cancelJob, id) }

    /// Queues a failed or cancelled job again and returns it.
    package func retryJob(id: String) async throws -> APIObject<JobFields> { try await send(JobAPI.retryJob, id) }

    /// Changes the priority of a job and returns the job.
    ///
    /// - Parameters:
    ///   - id: the job's number.
    ///   - priority: -100 to 100; higher goes first.
    package func prioritizeJob(id: String, _ priority: Int) async throws -> APIObject<JobFields> {
        try await send(JobAPI.changeJob, id, body: JobChangeFields.request { [$0.priority(priority)] })
    }
}

extension APIObject where Fields == JobFields {
    /// The job in one line: `12: queued, film.mp4`.
    package var jobLine: String { "\(self.id.cell): \(self.state.cell), \(UntrustedText.escaped(self.file.cell))" }
}
