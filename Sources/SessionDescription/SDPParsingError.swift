/// Why a session description cannot be used, and where.
package struct SDPParsingError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        case tooLong
        case tooManyLines
        case lineTooLong
        case tooManyMediaDescriptions
        /// Does not begin with `v=0`.
        case missingVersion
        /// A line is not of the form `x=value`.
        case malformedLine
        case malformedMediaLine
    }

    package var code: Code
    /// Counted from one.
    package var lineNumber: Int
    package var reason: String

    package init(_ code: Code, lineNumber: Int, reason: String) {
        self.code = code
        self.lineNumber = lineNumber
        self.reason = reason
    }

    package var description: String { "SDP line \(lineNumber): \(reason)" }
}

/// What a peer may send. Real descriptions have some 20 lines and 2 KB.
package struct SDPLimits: Sendable, Hashable {
    /// As much as the largest body that RTSP accepts.
    package var maximumByteCount = 64 * 1_024
    /// Parameter sets in base64 make the longest lines that exist, a few hundred bytes.
    package var maximumLineByteCount = 8 * 1_024
    package var maximumLineCount = 512
    /// Cameras announce up to four: video, audio, metadata, back channel.
    package var maximumMediaDescriptionCount = 16

    package static let standard = SDPLimits()

    package init() {}
}
