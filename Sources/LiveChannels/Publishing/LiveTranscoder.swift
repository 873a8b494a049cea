package import Codecs
package import MediaCore

/// What comes out of a transcoder, in order.
package enum LiveTranscoderOutput: Sendable {
    /// Before the first unit, and when it changes: the codec, and the clock of the units that follow.
    case configuration(CodecConfiguration, Timescale)
    case unit(AccessUnit)
    /// What was being worked on is lost, and the transcoder starts again: what follows begins with a configuration. In
    /// words for the operator.
    case interrupted(String)
    /// Nothing more comes. In words for the operator.
    case failed(String)
}

/// Makes what HLS carries out of a track that it does not carry, on a thread of its own.
package protocol LiveTranscoder: AnyObject, Sendable {
    /// Never blocks. False where the bounded queue is full and the unit was dropped.
    func send(_ unit: AccessUnit) -> Bool
    /// Nothing more is sent; what is still being worked on may be thrown away.
    func close()
}

package protocol LiveTranscoderFactory: Sendable {
    /// - Parameters:
    ///   - timescale: of the units that will be sent.
    ///   - onOutput: called on the transcoder's own thread, in order.
    func makeTranscoder(
        for codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) throws -> any LiveTranscoder
}
