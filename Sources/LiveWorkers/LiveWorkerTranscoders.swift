package import Codecs
package import LiveChannels
package import Logging
import LogMetadata
package import MediaCore
package import NIOCore
package import NIOPosix
import Transcoding

/// Transcodes live tracks in worker processes, one per track, so that the decoder of untrusted streams has no access to
/// the server.
package struct LiveWorkerTranscoders: LiveTranscoderFactory {
    private let group: any EventLoopGroup
    private let launcher: any LiveWorkerLauncher
    private let logger: Logger

    /// - Parameters:
    ///   - group: the event loops that move media to the workers and back.
    ///   - executable: the program that a worker runs, this one.
    ///   - threadPool: starts the workers.
    ///   - logger: receives what becomes of them.
    package init(group: any EventLoopGroup, executable: String, threadPool: NIOThreadPool, logger: Logger) {
        self.init(
            group: group, launcher: LiveWorkerProcessLauncher(executable: executable, threadPool: threadPool),
            logger: logger)
    }

    init(group: any EventLoopGroup, launcher: any LiveWorkerLauncher, logger: Logger) {
        (self.group, self.launcher, self.logger) = (group, launcher, logger)
    }

    package func makeTranscoder(
        for codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) throws -> any LiveTranscoder {
        try codec.requirePlausibleShape()
        // Prefers the publisher's own event loop if it is one of the group's, so that no other thread has to wake up.
        return LiveWorkerTranscoder(codec: codec, timescale: timescale, on: group.any(), launcher: launcher) {
            [logger] output in
            if case .interrupted(let reason) = output {
                logger.warning(
                    "live worker exited; restarting it",
                    metadata: [.codec: "\(codec.name)", .error: "\(reason)"])
            }
            onOutput(output)
        }
    }
}
