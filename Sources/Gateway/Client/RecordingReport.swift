import MediaCore

/// What `antena record` says of a channel's recording, in a line.
package struct RecordingReport: Sendable {
    private let status: JSONNode

    package init(status: JSONNode) { self.status = status }

    package var text: String {
        let state = status["state"]?.string ?? "unknown"
        let seconds = Int(exactly: (status["duration"]?.number ?? 0).rounded()) ?? 0
        let parts: [String?] = [
            state, seconds > 0 ? "\(seconds) s" : nil, status["file"]?.string, status["reason"]?.string,
        ]
        return UntrustedText.escaped(parts.compactMap(\.self).joined(separator: ", "))
    }
}
