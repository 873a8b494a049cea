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

/// Limits on a description that a peer sends. Real descriptions have about 20 lines and 2 KB.
package struct SDPLimits: Sendable, Hashable {
    /// Limit on the whole description in bytes, equal to RTSP's limit on bodies.
    package var maximumByteCount = 64 * 1_024
    /// Limit on a line in bytes. The longest real lines hold parameter sets in base64, a few hundred bytes.
    package var maximumLineByteCount = 8 * 1_024
    package var maximumLineCount = 512
    /// Limit on `m=` sections. Cameras announce up to four: video, audio, metadata and back channel.
    package var maximumMediaDescriptionCount = 16

    package static let standard = SDPLimits()

    package init() {}
}
