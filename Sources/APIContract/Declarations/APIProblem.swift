/// A problem that an operation reports, with its status.
package struct APIProblem: Sendable, Hashable {
    package let status: Int
    package let type: ProblemType

    /// - Parameters:
    ///   - status: the status of HTTP.
    ///   - type: the type of the problem.
    package init(_ status: Int, _ type: ProblemType) { (self.status, self.type) = (status, type) }
}
