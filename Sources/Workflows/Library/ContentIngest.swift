package import MediaIntake

/// The role of content that takes in files of this machine.
package protocol ContentIngest: Sendable {
    /// Queues a file on this machine for ingest.
    func ingest(path: String) async throws -> IngestedItem
}
