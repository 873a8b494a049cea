import Codecs
import LiveChannels
import Logging
import LogMetadata
import MediaCore
import NIOCore
import Transcoding

/// Transcodes live tracks in worker processes, one per track, so that the decoder of untrusted streams has no access to
/// the server.
struct LiveWorkerTranscoders: LiveTranscoderFactory {
    let group: any EventLoopGroup
    let launcher: any LiveWorkerLauncher
    let logger: Logger

    func makeTranscoder(
        for codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) throws -> any LiveTranscoder {
        try codec.requirePlausibleShape()
        // Prefers the publisher's own event loop if it is one of the group's, so that no other thread has to wake up.
        return LiveWorkerTranscoder(codec: codec, timescale: timescale, on: group.any(), launcher: launcher) {
            [logger] output in
            if case .interrupted(let reason) = output {
                logger.warning(
                    "live worker ended; it is started again",
                    metadata: [.codec: "\(codec.name)", .error: "\(reason)"])
            }
            onOutput(output)
        }
    }
}
