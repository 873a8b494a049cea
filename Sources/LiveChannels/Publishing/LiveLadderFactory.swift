/// Makes ladders.
package protocol LiveLadderFactory: Sendable {
    /// Makes and starts a ladder.
    ///
    /// - Parameters:
    ///   - plan: what to make.
    ///   - onOutput: called in order, on the ladder's own thread.
    /// - Throws: if there is no decoder or encoder for it.
    func makeLadder(
        _ plan: LiveLadderPlan, onOutput: @escaping @Sendable (LiveLadderOutput) -> Void
    ) throws -> any LiveLadder
}
