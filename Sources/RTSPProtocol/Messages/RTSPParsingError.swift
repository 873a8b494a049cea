/// The bytes are not valid RTSP. The rest of the connection cannot be interpreted after such an error.
package struct RTSPParsingError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: String, Hashable, Sendable {
        case malformedStartLine
        case unsupportedVersion
        case malformedHeader
        case malformedContentLength
        case lineTooLong
        case tooManyHeaders
        case headTooLarge
        case bodyTooLarge
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }

    /// Status to send before the connection is closed.
    package var status: RTSPStatus {
        switch code {
        case .bodyTooLarge: .requestEntityTooLarge
        case .unsupportedVersion: .versionNotSupported
        case .malformedStartLine, .malformedHeader, .malformedContentLength, .lineTooLong, .tooManyHeaders,
            .headTooLarge:
            .badRequest
        }
    }
}

/// Limits on a message that a peer sends.
package struct RTSPMessageLimits: Sendable, Hashable {
    /// Limit on a line in bytes. The longest real lines are `Authorization` headers with Digest, about 400 bytes.
    package var maximumLineByteCount = 4 * 1_024
    /// Limit on header fields; real requests have about ten.
    package var maximumHeaderCount = 64
    /// Limit on start line and headers together, in bytes.
    package var maximumHeadByteCount = 16 * 1_024
    /// Limit on the body in bytes. The only large bodies are session descriptions, about 1 KB.
    package var maximumBodyByteCount = 64 * 1_024

    package static let standard = RTSPMessageLimits()

    package init() {}
}
