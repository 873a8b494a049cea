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
