/// The finding of a check of `antena doctor`.
package struct DoctorFinding: Sendable, Hashable {
    /// Whether a server can run.
    package enum Result: String, Sendable, Hashable {
        /// Nothing has to be done.
        case ok
        /// A server runs, with a restriction.
        case warning
        /// A server does not start, or fails at something that it is configured to do.
        case problem
    }

    /// Whether a server can run.
    package let result: Result
    /// The finding in one line.
    package let text: String
    /// The remedy in one line; `nil` if nothing has to be done.
    package let remedy: String?

    private init(_ result: Result, _ text: String, remedy: String?) {
        self.result = result
        self.text = Self.oneLine(text)
        self.remedy = remedy.map(Self.oneLine)
    }

    /// Nothing has to be done.
    static func ok(_ text: String) -> DoctorFinding { DoctorFinding(.ok, text, remedy: nil) }

    /// A server runs, with a restriction.
    static func warning(_ text: String, remedy: String) -> DoctorFinding {
        DoctorFinding(.warning, text, remedy: remedy)
    }

    /// A server does not start, or fails at something that it is configured to do.
    static func problem(_ text: String, remedy: String) -> DoctorFinding {
        DoctorFinding(.problem, text, remedy: remedy)
    }

    /// Errors with several mistakes have a line for each.
    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
}
