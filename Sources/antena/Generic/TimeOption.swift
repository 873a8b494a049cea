import ArgumentParser

/// A time as an option of a command: a whole number with `d`, `h` or `m`.
struct TimeOption: ExpressibleByArgument {
    let seconds: Int

    init?(argument: String) {
        let units: [Character: Int] = ["d": 86_400, "h": 3_600, "m": 60]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()), count > 0 else {
            return nil
        }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        self.seconds = seconds
    }
}
