extension SDPSession {
    /// Parses an untrusted description. Lines end in CRLF or LF; blank lines and unknown line types are skipped; the
    /// lines that media do not depend on (`o=`, `s=`, `t=`) are optional.
    package init(parsing bytes: some Sequence<UInt8>, limits: SDPLimits = .standard) throws(SDPParsingError) {
        var parser = Parser(limits: limits)
        var line: [UInt8] = []
        var byteCount = 0
        for byte in bytes {
            byteCount += 1
            guard byteCount <= limits.maximumByteCount else {
                throw parser.error(.tooLong, "the description is longer than \(limits.maximumByteCount) bytes")
            }
            if byte == UInt8(ascii: "\n") {
                try parser.parseLine(line)
                parser.lineNumber += 1
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
            }
        }
        try parser.parseLine(line)
        guard parser.hasVersion else { throw parser.error(.missingVersion, "v=0 is missing") }
        self = parser.session
    }

    private struct Parser {
        let limits: SDPLimits
        var session = SDPSession(origin: "", name: "")
        var hasVersion = false
        /// Number of the line that is being parsed, counted from 1.
        var lineNumber = 1

        init(limits: SDPLimits) { self.limits = limits }

        func error(_ code: SDPParsingError.Code, _ reason: String) -> SDPParsingError {
            SDPParsingError(code, lineNumber: lineNumber, reason: reason)
        }

        /// - Parameter bytes: the line without its LF.
        mutating func parseLine(_ bytes: [UInt8]) throws(SDPParsingError) {
            guard lineNumber <= limits.maximumLineCount else {
                throw error(.tooManyLines, "the description has more than \(limits.maximumLineCount) lines")
            }
            guard bytes.count <= limits.maximumLineByteCount else {
                throw error(.lineTooLong, "the line is longer than \(limits.maximumLineByteCount) bytes")
            }
            let content = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
            guard !content.allSatisfy({ $0 == 0x20 || $0 == 0 }) else { return }
            guard content.count >= 2, content[1] == UInt8(ascii: "=") else {
                throw error(.malformedLine, "the line does not have the form x=value")
            }
            let value = String(decoding: content.dropFirst(2), as: UTF8.self)
            if !hasVersion {
                guard content[0] == UInt8(ascii: "v"), trimmingSpaces(value) == "0" else {
                    throw error(.missingVersion, "the first line must be v=0")
                }
                hasVersion = true
                return
            }
            try parseField(type: content[0], value: value)
        }

        private mutating func parseField(type: UInt8, value: String) throws(SDPParsingError) {
            switch type {
            case UInt8(ascii: "o"): session.origin = value
            case UInt8(ascii: "s"): session.name = value
            case UInt8(ascii: "c"): setConnection(value)
            case UInt8(ascii: "m"): try parseMedia(value)
            case UInt8(ascii: "a"): addAttribute(value)
            default: break
            }
        }

        private mutating func setConnection(_ value: String) {
            if session.media.isEmpty {
                session.connection = value
            } else {
                session.media[session.media.count - 1].connection = value
            }
        }

        private mutating func addAttribute(_ text: String) {
            let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let attribute = SDPAttribute(
                trimmingSpaces(pair[0]), pair.count == 2 ? trimmingSpaces(pair[1]) : nil)
            if session.media.isEmpty {
                session.attributes.append(attribute)
            } else {
                session.media[session.media.count - 1].attributes.append(attribute)
            }
        }

        /// Parses `m=<media> <port>[/<number of ports>] <proto> <fmt> …`.
        private mutating func parseMedia(_ value: String) throws(SDPParsingError) {
            guard session.media.count < limits.maximumMediaDescriptionCount else {
                throw error(
                    .tooManyMediaDescriptions,
                    "there are more than \(limits.maximumMediaDescriptionCount) media descriptions")
            }
            let fields = value.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            guard fields.count >= 4, let port = fields[1].split(separator: "/").first.flatMap({ UInt16($0) }) else {
                throw error(.malformedMediaLine, "expected m=<media> <port> <protocol> <format> …")
            }
            session.media.append(
                SDPMediaDescription(
                    mediaType: fields[0].lowercased(), port: Int(port), transportProtocol: fields[2],
                    formats: Array(fields[3...])))
        }
    }
}
