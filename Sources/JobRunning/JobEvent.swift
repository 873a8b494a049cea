package import Catalogue

/// A change of a job, with the job's new state.
package struct JobEvent: Sendable {
    package var id: ID
    package var job: JobRecord

    /// Identifies an event. Written as `epoch-sequence`; an epoch is a run of the server.
    package struct ID: Hashable, Sendable, CustomStringConvertible {
        /// A number that differs between runs of the server.
        package var epoch: UInt64
        /// The number of the event within a run; it rises by one.
        package var sequence: UInt64

        init(epoch: UInt64, sequence: UInt64) {
            self.epoch = epoch
            self.sequence = sequence
        }

        /// Parses an ID; `nil` if the text is not one.
        package init?(parsing text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
            guard parts.count == 2, let epoch = parts[0], let sequence = parts[1] else { return nil }
            self.init(epoch: epoch, sequence: sequence)
        }

        package var description: String { "\(epoch)-\(sequence)" }
    }
}
