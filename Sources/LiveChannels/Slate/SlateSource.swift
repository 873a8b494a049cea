package import Packaging

/// Makes slates, somewhere else: with libav, in a process of its own.
package protocol SlateSource: Sendable {
    /// - Parameters:
    ///   - file: as `channels.json` names it; `nil` for a plain card.
    ///   - present: made before, of the same shape and for the same channel: given back where the file is as it was.
    ///   - completion: called once, on any thread; the error is for the operator.
    func makeSlate(
        _ shape: SlateShape, file: String?, channel: String, present: Slate?,
        completion: @escaping @Sendable (Result<Slate, any Error>) -> Void)
}
