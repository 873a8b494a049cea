extension SDPSession {
    /// The description with its lines in the order of RFC 8866 §5, each ended by CRLF.
    package var rendered: String {
        var lines = ["v=0", "o=" + origin, "s=" + (name.isEmpty ? "-" : name)]
        if let connection { lines.append("c=" + connection) }
        lines.append("t=0 0")
        lines += attributes.map(\.renderedLine)
        for description in media {
            let formats = description.formats.joined(separator: " ")
            lines.append("m=\(description.mediaType) \(description.port) \(description.transportProtocol) \(formats)")
            if let connection = description.connection { lines.append("c=" + connection) }
            lines += description.attributes.map(\.renderedLine)
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension SDPAttribute {
    fileprivate var renderedLine: String { "a=" + name + (value.map { ":" + $0 } ?? "") }
}
