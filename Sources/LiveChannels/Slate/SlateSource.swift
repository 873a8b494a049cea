package import Packaging

/// Makes slates outside the server process, with libav.
package protocol SlateSource: Sendable {
    /// Makes a slate for a channel.
    ///
    /// - Parameters:
    ///   - shape: the codecs, frame size and rate that it must have.
    ///   - design: what the slate shows.
    ///   - channel: the channel's name.
    ///   - present: a slate made before, with the same shape and design and for the same channel; it is returned if the
    ///     file is unchanged.
    ///   - completion: called once, on any thread; the error is human-readable.
    func makeSlate(
        _ shape: SlateShape, design: SlateDesign, channel: String, present: Slate?,
        completion: @escaping @Sendable (Result<Slate, any Error>) -> Void)
}
