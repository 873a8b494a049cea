package import Catalogue

/// A running job, as its kind sees it.
package struct JobRun: Sendable {
    let job: LibraryJob
    /// The runner, for jobs that follow from this one.
    package let jobs: JobRunner

    /// The job's record; `nil` if the job has ended.
    package func record() async -> JobRecord? { await jobs.openRecord(job.key) }

    func change(_ change: @escaping @Sendable (inout JobRecord) -> Void) async { await jobs.change(job.key, change) }

    /// Adds a human-readable note to the job: why a file is converted that does not seem to need it.
    package func note(_ text: String) async {
        await change { record in record.message = [record.message, text].compactMap(\.self).joined(separator: "; ") }
    }

    /// Ends the job as ready and writes that to the catalogue at once, for a job that would do harm if it were done
    /// again after a crash. The job then returns ``JobOutcome/ready``.
    ///
    /// - Parameter change: the last change of the job's record.
    package func finish(_ change: @escaping @Sendable (inout JobRecord) -> Void) async {
        await jobs.endEarly(job.key, change)
        try? await jobs.flush()
    }

    /// Records the progress of a transfer.
    ///
    /// - Parameters:
    ///   - fraction: 0 to 1.
    ///   - byteCount: the size of the file.
    package func progressed(to fraction: Double, of byteCount: Int64) async {
        await jobs.progressed(job.key, to: fraction, of: byteCount)
    }

    /// Runs a closure whose progress is reported on any thread, and forwards the latest progress in order.
    package func withProgress<Result: Sendable>(
        _ body: @Sendable (@escaping @Sendable (Double) -> Void) async throws -> Result
    ) async throws -> Result {
        let (fractions, reporter) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        async let following: Void = {
            for await fraction in fractions { await jobs.converted(job.key, to: fraction) }
        }()
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body { reporter.yield($0) })
        } catch {
            result = .failure(error)
        }
        reporter.finish()
        await following
        return try result.get()
    }
}
