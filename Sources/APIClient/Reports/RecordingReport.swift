package import JSONDocument
import MediaCore

/// The output of `antena record`: the state of a channel's recording in one line.
package struct RecordingReport: Sendable {
    private let status: JSONNode

    /// - Parameter status: a recording in the API's representation.
    package init(status: JSONNode) { self.status = status }

    /// The line, escaped for a terminal.
    package var text: String {
        let state = status["state"]?.string ?? "unknown"
        let seconds = Int(exactly: (status["duration"]?.number ?? 0).rounded()) ?? 0
        let parts: [String?] = [
            state, seconds > 0 ? "\(seconds) s" : nil, status["file"]?.string, status["reason"]?.string,
        ]
        return UntrustedText.escaped(parts.compactMap(\.self).joined(separator: ", "))
    }
}
