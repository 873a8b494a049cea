package import Catalogue

/// The identity of an open job.
package struct JobKey: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        /// The ID of a title or track, which has at most one open job of each kind.
        case item(String)
        /// The job's own number, for jobs that begin without a title or track.
        case number(Int64)
    }

    var kind: JobKind
    var subject: Subject

    package init(kind: JobKind, subject: String) {
        self.kind = kind
        self.subject = .item(subject)
    }

    init(kind: JobKind, number: Int64) {
        self.kind = kind
        subject = .number(number)
    }

    /// The ID of the title or track; `nil` if there is none yet.
    var item: String? {
        if case .item(let id) = subject { id } else { nil }
    }
}
