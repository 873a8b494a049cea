import Gateway

/// Checks how many files and sockets the server may open.
struct OpenFileCheck: DoctorCheck {
    let name = "open files"
    /// The limit up to which a process may raise its own; `nil` if it cannot be determined.
    let hardLimit: Int?

    /// Enough for a server with a dozen of viewers and publishers, and the files of its library.
    static let minimum = 1_024

    var finding: DoctorFinding {
        let wanted = Int(OpenFileLimit.wanted)
        let remedy =
            "raise the hard limit to \(wanted): LimitNOFILE= of a systemd unit, nofile in /etc/security/limits.conf, or --ulimit of docker run"
        guard let hardLimit else {
            return .warning("the limit of open files cannot be determined", remedy: remedy)
        }
        if hardLimit >= wanted { return .ok("up to \(wanted) files and sockets can be open") }
        let text = "only \(hardLimit) files and sockets can be open, half of them by viewers"
        return hardLimit < Self.minimum ? .problem(text, remedy: remedy) : .warning(text, remedy: remedy)
    }

    /// Asks the system.
    static func examine() -> OpenFileCheck { OpenFileCheck(hardLimit: OpenFileLimit.hard()) }
}
