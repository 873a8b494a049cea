/// The reason why a session description cannot be used, and its line.
package struct SDPParsingError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        case tooLong
        case tooManyLines
        case lineTooLong
        case tooManyMediaDescriptions
        /// The description does not begin with `v=0`.
        case missingVersion
        /// A line is not of the form `x=value`.
        case malformedLine
        /// An `m=` line does not have the form `m=<media> <port> <protocol> <format> …`.
        case malformedMediaLine
    }

    package var code: Code
    /// Line number, counted from 1.
    package var lineNumber: Int
    package var reason: String

    package init(_ code: Code, lineNumber: Int, reason: String) {
        self.code = code
        self.lineNumber = lineNumber
        self.reason = reason
    }

    package var description: String { "SDP line \(lineNumber): \(reason)" }
}
