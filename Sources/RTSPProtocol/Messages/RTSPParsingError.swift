/// Bytes that are no RTSP. After one of these the rest of the connection means nothing.
package struct RTSPParsingError: Error, Hashable, CustomStringConvertible {
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

    /// What to answer before closing.
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

/// What a peer may send in one message.
package struct RTSPMessageLimits: Sendable, Hashable {
    /// The longest real ones are digest `Authorization` lines, some 400 bytes.
    package var maximumLineByteCount = 4 * 1_024
    /// Real requests have about ten.
    package var maximumHeaderCount = 64
    /// Start line and headers together.
    package var maximumHeadByteCount = 16 * 1_024
    /// The only body of any size is a session description, about 1 KB.
    package var maximumBodyByteCount = 64 * 1_024

    package static let standard = RTSPMessageLimits()

    package init() {}
}
