/// The human-readable reason why a ladder cannot be planned, or why a step of its work is not possible.
package struct LadderWorkError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    init(_ reason: String) { description = reason }
}
