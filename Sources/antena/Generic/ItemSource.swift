import ArgumentParser

/// Options that lead to where things are: to a server, or to the folder of offline copies.
protocol ItemSource: ParsableArguments {
    /// The means to ask there, such as a client of the server.
    associatedtype Access

    /// Runs `body` with the means to ask there.
    ///
    /// - Throws: ``CommandFailure``
    func withAccess<Result: Sendable>(_ body: (Access) async throws -> Result) async throws -> Result
}
