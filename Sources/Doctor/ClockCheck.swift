import CAntenaSystem

/// Checks that the clock is kept right, because program date-times, tokens and second factors need it.
struct ClockCheck: DoctorCheck {
    let name = "clock"
    /// Whether a time service keeps the clock right; `nil` if the system does not tell.
    let isSynchronised: Bool?

    var finding: DoctorFinding {
        if isSynchronised == true { return .ok("the clock is synchronised") }
        return .warning(
            isSynchronised == nil
                ? "the system does not report whether the clock is synchronised"
                : "the clock is not synchronised; program date-times, tokens and second factors need the right time",
            remedy: "start a time service, such as systemd-timesyncd or chrony, on this machine or its host")
    }

    /// Asks the kernel.
    static func examine() -> ClockCheck {
        switch antena_clock_is_synchronised() {
        case 1: ClockCheck(isSynchronised: true)
        case 0: ClockCheck(isSynchronised: false)
        default: ClockCheck(isSynchronised: nil)
        }
    }
}
