/// A status code (RFC 2326 §7.1.1) with a human-readable reason phrase. The phrase may be replaced; ffmpeg prints it,
/// GStreamer uses its own.
package struct RTSPStatus: Hashable, Sendable {
    /// The status code, such as 404.
    package var code: Int
    package var reasonPhrase: String

    package init(_ code: Int, _ reasonPhrase: String) {
        self.code = code
        self.reasonPhrase = reasonPhrase
    }

    package static let ok = RTSPStatus(200, "OK")
    package static let badRequest = RTSPStatus(400, "Bad Request")
    package static let unauthorized = RTSPStatus(401, "Unauthorized")
    package static let paymentRequired = RTSPStatus(402, "Payment Required")
    package static let forbidden = RTSPStatus(403, "Forbidden")
    package static let notFound = RTSPStatus(404, "Not Found")
    package static let methodNotAllowed = RTSPStatus(405, "Method Not Allowed")
    package static let notAcceptable = RTSPStatus(406, "Not Acceptable")
    package static let requestTimeout = RTSPStatus(408, "Request Timeout")
    package static let gone = RTSPStatus(410, "Gone")
    package static let requestEntityTooLarge = RTSPStatus(413, "Request Entity Too Large")
    package static let requestURITooLong = RTSPStatus(414, "Request-URI Too Large")
    package static let unsupportedMediaType = RTSPStatus(415, "Unsupported Media Type")
    package static let parameterNotUnderstood = RTSPStatus(451, "Parameter Not Understood")
    package static let notEnoughBandwidth = RTSPStatus(453, "Not Enough Bandwidth")
    package static let sessionNotFound = RTSPStatus(454, "Session Not Found")
    package static let methodNotValidInThisState = RTSPStatus(455, "Method Not Valid in This State")
    package static let invalidRange = RTSPStatus(457, "Invalid Range")
    package static let aggregateOperationNotAllowed = RTSPStatus(459, "Aggregate Operation Not Allowed")
    package static let unsupportedTransport = RTSPStatus(461, "Unsupported Transport")
    package static let internalServerError = RTSPStatus(500, "Internal Server Error")
    package static let notImplemented = RTSPStatus(501, "Not Implemented")
    package static let serviceUnavailable = RTSPStatus(503, "Service Unavailable")
    package static let versionNotSupported = RTSPStatus(505, "RTSP Version not supported")
    package static let optionNotSupported = RTSPStatus(551, "Option Not Supported")

    /// The same status code with a phrase that says what is wrong or what to do.
    package func because(_ reason: String) -> RTSPStatus {
        // A line end in the phrase would end the status line prematurely.
        let line = String(String.UnicodeScalarView(reason.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        return RTSPStatus(code, line)
    }

    package var isSuccess: Bool { (200..<300).contains(code) }
}
