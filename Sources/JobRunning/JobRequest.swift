package import Catalogue

/// A job to be added to the queue.
package struct JobRequest: Sendable, Hashable {
    var kind: JobKind
    /// The ID of the title or track; `nil` for a job that begins without one.
    var subject: String?
    var fileName: String
    /// The address from which a file is imported.
    var origin: String?
    /// Details in a format that the kind defines. A job that is open already keeps its own.
    var parameters: String?

    package init(
        _ kind: JobKind, subject: String? = nil, fileName: String, origin: String? = nil, parameters: String? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.fileName = fileName
        self.origin = origin
        self.parameters = parameters
    }
}
