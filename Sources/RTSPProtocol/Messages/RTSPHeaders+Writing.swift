import NIOCore

extension RTSPHeaders {
    func write(into buffer: inout ByteBuffer, bodyByteCount: Int) {
        for field in fields { buffer.writeString("\(field.name): \(withoutControls(field.value))\r\n") }
        if bodyByteCount > 0 && self["Content-Length"] == nil {
            buffer.writeString("Content-Length: \(bodyByteCount)\r\n")
        }
        buffer.writeString("\r\n")
    }
}

/// Replaces control characters, so that an echoed value cannot start a new line.
private func withoutControls(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
}
