import Codecs
package import LiveChannels
package import Logging
import LogMetadata
import MediaCore
package import NIOCore
package import NIOPosix
import Transcoding

/// Makes the ladders of channels in worker processes, one for each push.
package struct LiveWorkerLadders: LiveLadderFactory {
    private let group: any EventLoopGroup
    private let launcher: any LiveWorkerLauncher
    private let slots: TranscodingSlots
    private let logger: Logger

    /// - Parameters:
    ///   - group: the event loops that move media to the workers and back.
    ///   - executable: the program that a worker runs, this one.
    ///   - threadPool: starts the workers.
    ///   - slots: how many qualities may be encoded at the same time.
    ///   - logger: receives what becomes of them.
    package init(
        group: any EventLoopGroup, executable: String, threadPool: NIOThreadPool, slots: TranscodingSlots,
        logger: Logger
    ) {
        self.init(
            group: group, launcher: LiveWorkerProcessLauncher(executable: executable, threadPool: threadPool),
            slots: slots, logger: logger)
    }

    init(group: any EventLoopGroup, launcher: any LiveWorkerLauncher, slots: TranscodingSlots, logger: Logger) {
        (self.group, self.launcher, self.slots, self.logger) = (group, launcher, slots, logger)
    }

    /// No ladder is made of this codec.
    struct Unsupported: Error, CustomStringConvertible {
        var codec: String
        var description: String { "no lower qualities are made of \(codec)" }
    }

    package func makeLadder(
        _ plan: LiveLadderPlan, onOutput: @escaping @Sendable (LiveLadderOutput) -> Void
    ) throws -> any LiveLadder {
        let codec: KeyFrame.Codec
        switch plan.configuration {
        case .h264: codec = .h264
        case .hevc: codec = .hevc
        case .av1: codec = .av1
        default: throw Unsupported(codec: plan.configuration.name)
        }
        let request = LiveLadderRequest(
            codec: codec, timescale: plan.timescale, encoder: LadderEncoder.liveName(titles: plan.encoder),
            rungs: plan.presets.prefix(LiveLadderRequest.maximumRungCount).map {
                .init(width: $0.width, height: $0.height, frameRate: $0.frameRate, bitRate: $0.videoBitRate)
            }, boardRung: plan.boardRung.flatMap { $0 < LiveLadderRequest.maximumRungCount ? $0 : nil })
        return LiveLadderTranscoder(request, slots: slots, on: group.any(), launcher: launcher) { [logger] output in
            if case .interrupted(let reason) = output {
                logger.warning("live worker exited; restarting it", metadata: [.error: "\(reason)"])
            }
            onOutput(output)
        }
    }
}
