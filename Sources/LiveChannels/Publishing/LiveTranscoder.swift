package import Codecs
package import MediaCore

/// The output of a transcoder, in order.
package enum LiveTranscoderOutput: Sendable {
    /// The codec, and the timescale of the units that follow. Sent before the first unit and whenever it changes.
    case configuration(CodecConfiguration, Timescale)
    case unit(AccessUnit)
    /// The unfinished work is lost, and the transcoder starts again: the output that follows begins with a
    /// configuration. The text is human-readable.
    case interrupted(String)
    /// The transcoder has failed, and nothing follows. The text is human-readable.
    case failed(String)
}

/// Transcodes a track that HLS does not carry into one that it does, on a thread of its own.
package protocol LiveTranscoder: AnyObject, Sendable {
    /// Hands over a unit; never blocks. Returns false if the bounded queue is full and the unit was dropped.
    func send(_ unit: AccessUnit) -> Bool
    /// Closes the transcoder. Nothing may be sent afterwards; unfinished work may be discarded.
    func close()
}

/// Makes transcoders for the tracks of a push.
package protocol LiveTranscoderFactory: Sendable {
    /// Makes and starts a transcoder.
    ///
    /// - Parameters:
    ///   - timescale: the timescale of the units that will be sent.
    ///   - onOutput: called in order, on the transcoder's own thread.
    func makeTranscoder(
        for codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) throws -> any LiveTranscoder
}
