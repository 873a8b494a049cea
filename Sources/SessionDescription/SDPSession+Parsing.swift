extension SDPSession {
    /// Parses what a stranger sent: CRLF or LF, blank lines and unknown line types skipped, the lines that no media
    /// depends on (`o=`, `s=`, `t=`) optional.
    package init(parsing bytes: some Sequence<UInt8>, limits: SDPLimits = .standard) throws(SDPParsingError) {
        var parser = Parser(limits: limits)
        var line: [UInt8] = []
        var byteCount = 0
        for byte in bytes {
            byteCount += 1
            guard byteCount <= limits.maximumByteCount else {
                throw parser.error(.tooLong, "more than \(limits.maximumByteCount) bytes in all")
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
        guard parser.hasVersion else { throw parser.error(.missingVersion, "there is no v=0 line") }
        self = parser.session
    }

    private struct Parser {
        let limits: SDPLimits
        var session = SDPSession(origin: "", name: "")
        var hasVersion = false
        /// Of the line that is being read.
        var lineNumber = 1

        init(limits: SDPLimits) { self.limits = limits }

        func error(_ code: SDPParsingError.Code, _ reason: String) -> SDPParsingError {
            SDPParsingError(code, lineNumber: lineNumber, reason: reason)
        }

        /// - Parameter bytes: up to, not including, the LF.
        mutating func parseLine(_ bytes: [UInt8]) throws(SDPParsingError) {
            guard lineNumber <= limits.maximumLineCount else {
                throw error(.tooManyLines, "more than \(limits.maximumLineCount) lines")
            }
            guard bytes.count <= limits.maximumLineByteCount else {
                throw error(.lineTooLong, "longer than \(limits.maximumLineByteCount) bytes")
            }
            let content = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
            guard !content.allSatisfy({ $0 == 0x20 || $0 == 0 }) else { return }
            guard content.count >= 2, content[1] == UInt8(ascii: "=") else {
                throw error(.malformedLine, "not of the form x=value")
            }
            let value = String(decoding: content.dropFirst(2), as: UTF8.self)
            if !hasVersion {
                guard content[0] == UInt8(ascii: "v"), trimmingSpaces(value) == "0" else {
                    throw error(.missingVersion, "expected v=0 first")
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

        /// `m=<media> <port>[/<number of ports>] <proto> <fmt> …`
        private mutating func parseMedia(_ value: String) throws(SDPParsingError) {
            guard session.media.count < limits.maximumMediaDescriptionCount else {
                throw error(
                    .tooManyMediaDescriptions, "more than \(limits.maximumMediaDescriptionCount) media descriptions")
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
