/// The form of log lines.
package enum LogFormat: String, Sendable, CaseIterable {
    /// Human-readable lines.
    case text
    /// One JSON object per line, for programs that collect logs.
    case json
}
