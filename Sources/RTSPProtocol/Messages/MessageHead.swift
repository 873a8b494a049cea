import NIOCore

/// A start line and the headers that have arrived so far.
struct MessageHead {
    private enum StartLine {
        case request(RTSPMethod, uri: String)
        case response(RTSPStatus)
    }

    private let startLine: StartLine
    private var headers = RTSPHeaders()
    private var byteCount: Int

    init(startLine line: String) throws(RTSPParsingError) {
        byteCount = line.utf8.count
        startLine =
            line.hasPrefix("RTSP/") ? .response(try Self.parseStatusLine(line)) : try Self.parseRequestLine(line)
    }

    /// Parses a request line (RFC 2326 §6.1). Several spaces between the fields are tolerated.
    private static func parseRequestLine(_ line: String) throws(RTSPParsingError) -> StartLine {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count == 3, fields[2].hasPrefix("RTSP/"),
            fields[0].utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") })
        else {
            throw RTSPParsingError(.malformedStartLine, "the first line is not an RTSP request")
        }
        guard fields[2].hasPrefix("RTSP/1.") else {
            throw RTSPParsingError(.unsupportedVersion, "only RTSP/1.0 is supported")
        }
        return .request(RTSPMethod(String(fields[0])), uri: String(fields[1]))
    }

    /// Parses a status line (RFC 2326 §7.1).
    private static func parseStatusLine(_ line: String) throws(RTSPParsingError) -> RTSPStatus {
        let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard fields.count >= 2, let code = Int(digits: fields[1]), (100...999).contains(code) else {
            throw RTSPParsingError(.malformedStartLine, "the first line is not an RTSP response")
        }
        return RTSPStatus(code, fields.count > 2 ? String(fields[2]) : "")
    }

    mutating func addHeaderLine(_ line: String, limits: RTSPMessageLimits) throws(RTSPParsingError) {
        byteCount += line.utf8.count
        guard byteCount <= limits.maximumHeadByteCount else {
            throw RTSPParsingError(
                .headTooLarge, "the head of the message has more than \(limits.maximumHeadByteCount) bytes")
        }
        if line.hasPrefix(" ") || line.hasPrefix("\t") {
            headers.continueLastField(with: trimmingWhitespace(line))
            return
        }
        guard headers.fields.count < limits.maximumHeaderCount else {
            throw RTSPParsingError(.tooManyHeaders, "the message has more than \(limits.maximumHeaderCount) headers")
        }
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
            throw RTSPParsingError(.malformedHeader, "a header line has no colon")
        }
        headers.add(
            name: trimmingWhitespace(line[..<colon]), value: trimmingWhitespace(line[line.index(after: colon)...]))
    }

    /// Whether this is the truncated TEARDOWN of libstreaming. Without credentials it ends the request after
    /// `Authorization: null`, without a blank line, waits for the response and continues to send packets. The push
    /// would therefore end neither by a closed connection nor by a timeout. No other client sends this line.
    var isTeardownOfLibstreaming: Bool {
        guard case .request(.teardown, _) = startLine, let last = headers.fields.last else { return false }
        return last.name == "Authorization" && last.value == "null" && headers["Session"] != nil
    }

    func bodyByteCount(limits: RTSPMessageLimits) throws(RTSPParsingError) -> Int {
        let values = headers.values(of: "Content-Length")
        guard let text = values.first else { return 0 }
        // RFC 9110 §8.6 requires 1*DIGIT and no conflicting values. Otherwise one peer's body could be another peer's
        // request.
        guard let count = Int(digits: text), values.allSatisfy({ $0 == text }) else {
            throw RTSPParsingError(
                .malformedContentLength, "Content-Length must be a number of bytes, in digits only and given once")
        }
        guard count <= limits.maximumBodyByteCount else {
            throw RTSPParsingError(
                .bodyTooLarge, "the body has \(count) bytes; at most \(limits.maximumBodyByteCount) are allowed")
        }
        return count
    }

    func element(body: ByteBuffer) -> RTSPElement {
        switch startLine {
        case .request(let method, let uri):
            .request(RTSPRequest(method: method, uri: uri, headers: headers, body: body))
        case .response(let status):
            .response(RTSPResponse(status: status, headers: headers, body: body))
        }
    }
}
