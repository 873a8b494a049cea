import ArgumentParser
import Foundation

/// The end of a suspension, as options of a command.
struct SuspensionOptions: ParsableArguments {
    @Option(
        name: .customLong("for"), help: "A time such as 7d, 12h or 30m, after which it ends. (default: without end)")
    var time: TimeOption?

    @Option(help: "The time at which it ends, such as 2026-12-01T08:00:00Z.")
    var until: String?

    func validate() throws {
        guard time == nil || until == nil else { throw ValidationError("--for and --until cannot be combined.") }
        _ = try seconds()
    }

    /// The time for which accounts are suspended, in seconds; `nil` for no end.
    func seconds() throws -> Int? {
        guard let until else { return time?.seconds }
        guard let end = try? Date(until, strategy: .iso8601) else {
            throw ValidationError("--until must be a time such as 2026-12-01T08:00:00Z.")
        }
        let seconds = end.timeIntervalSinceNow.rounded(.up)
        guard let whole = Int(exactly: seconds), whole > 0 else {
            throw ValidationError("--until must be in the future.")
        }
        return whole
    }
}
