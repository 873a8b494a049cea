/// An error with a reason for the person who asked, and so with a response of its own. The errors of a domain conform
/// to it above the domain.
package protocol ReportedError: Error {
    var problem: ProblemDetails { get }
}

extension ProblemDetails: ReportedError {
    package var problem: ProblemDetails { self }
}
