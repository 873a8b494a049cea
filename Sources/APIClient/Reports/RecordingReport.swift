package import APIContract
package import APIDeclarations
import MediaCore

/// The output of `antena record`: the state of a channel's recording in one line.
package struct RecordingReport: Sendable {
    private let status: APIObject<RecordingFields>

    package init(status: APIObject<RecordingFields>) { self.status = status }

    /// The line, escaped for a terminal.
    package var text: String {
        let seconds = Int(exactly: (status.duration ?? 0).rounded()) ?? 0
        let parts: [String?] = [
            status.state ?? "unknown", seconds > 0 ? "\(seconds) s" : nil, status.file, status.reason,
        ]
        return UntrustedText.escaped(parts.compactMap(\.self).joined(separator: ", "))
    }
}
