import ArgumentParser

/// The option of the commands that limit the length of a list.
struct LimitOption: ParsableArguments {
    @Option(help: "The maximum number.")
    var limit = 1_000

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be 1 or more.") }
    }
}
