package import Codecs
package import MediaCore

/// Makes transcoders for the tracks of a push.
package protocol LiveTranscoderFactory: Sendable {
    /// Makes and starts a transcoder.
    ///
    /// - Parameters:
    ///   - codec: the codec of the units that will be sent.
    ///   - timescale: the timescale of the units that will be sent.
    ///   - onOutput: called in order, on the transcoder's own thread.
    func makeTranscoder(
        for codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) throws -> any LiveTranscoder
}
