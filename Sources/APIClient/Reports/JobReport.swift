package import JSONDocument
import MediaCore
import NIOHTTP1

/// The table of `antena jobs`.
package struct JobReport: Sendable {
    private let jobs: [JSONNode]

    /// - Parameter jobs: jobs in the API's representation.
    package init(jobs: [JSONNode]) { self.jobs = jobs }

    /// Fetches the newest jobs of a running server.
    ///
    /// - Throws: ``ServerClientError``
    package static func fetch(from client: ServerClient, limit: Int) async throws -> JobReport {
        JobReport(jobs: try await client.list("/api/v1/jobs", limit: limit))
    }

    /// The jobs as a JSON array.
    package var json: String { JSONText.array(jobs.map(JSONText.init)).rendered }

    /// The table for a terminal.
    package var text: String {
        var table = TextTable("ID", "KIND", "STATE", "PROGRESS", "PRIORITY", "ATTEMPT", "FILE", "MESSAGE")
        for job in jobs {
            let progress = job["progress"]?.number.map { "\(Int((min(1, max(0, $0)) * 100).rounded(.down))) %" } ?? "-"
            table.add(
                job.text("id"), job.text("kind"), job.text("state"), progress, job.text("priority"),
                job.text("attempt"), TextTable.short(job.text("file")),
                TextTable.short(job["error"]?.string ?? job.text("message")))
        }
        return table.isEmpty ? "no jobs" : table.text
    }
}

extension ServerClient {
    /// Cancels a job and returns it.
    package func cancelJob(id: String) async throws -> JSONNode {
        try await send(.POST, Self.path("jobs", id, "cancel"))
    }

    /// Queues a failed or cancelled job again and returns it.
    package func retryJob(id: String) async throws -> JSONNode {
        try await send(.POST, Self.path("jobs", id, "retry"))
    }

    /// Changes the priority of a job and returns the job.
    ///
    /// - Parameters:
    ///   - id: the job's number.
    ///   - priority: -100 to 100; higher goes first.
    package func prioritizeJob(id: String, _ priority: Int) async throws -> JSONNode {
        try await send(.PATCH, Self.path("jobs", id), .object([("priority", .integer(priority))]))
    }
}

extension JSONNode {
    /// The job in one line: `12: queued, film.mp4`.
    package var jobLine: String {
        "\(text("id")): \(text("state")), \(UntrustedText.escaped(text("file")))"
    }
}
