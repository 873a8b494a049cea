package import LiveChannels
package import Logging
import LogMetadata
package import MediaCore
package import NIOCore
package import NIOPosix
import Synchronization
import Transcoding

/// The current pictures of channels on the air, as JPEG: made of the last key frame in a confined process, when
/// somebody looks, and kept for ``interval``, so that one serves all who look.
package final class ChannelPictures: Sendable {
    /// Time for which a picture is current, in milliseconds.
    package static let interval: Int64 = 10_000

    private struct Entry {
        var madeAt: WallClockTime
        var picture: EventLoopFuture<ByteBuffer>
    }

    private let channels: LiveChannelDirectory
    private let worker: PictureWorker
    private let clock: WallClock
    private let logger: Logger
    private let entries = Mutex([String: Entry]())

    /// - Parameters:
    ///   - channels: the channels.
    ///   - group: the event loops that move pictures.
    ///   - executable: the program that a worker runs, this one.
    ///   - threadPool: starts the worker.
    ///   - clock: says how old pictures are.
    ///   - logger: receives why there is no picture.
    package convenience init(
        of channels: LiveChannelDirectory, group: any EventLoopGroup, executable: String, threadPool: NIOThreadPool,
        clock: WallClock = .system, logger: Logger
    ) {
        self.init(
            of: channels,
            worker: PictureWorker(
                on: group.any(), launcher: LiveWorkerProcessLauncher(executable: executable, threadPool: threadPool)),
            clock: clock, logger: logger)
    }

    init(of channels: LiveChannelDirectory, worker: PictureWorker, clock: WallClock, logger: Logger) {
        (self.channels, self.worker, self.clock, self.logger) = (channels, worker, clock, logger)
    }

    /// The current picture of a channel, a JPEG file; `nil` if the channel is not on the air, has no video, or its
    /// frames cannot be decoded.
    package func picture(ofChannel name: String) async -> ByteBuffer? {
        guard let channel = channels.channel(named: name), let last = channel.fanOut.keyFrame else { return nil }
        let now = clock.now().millisecondsSince1970
        let picture = entries.withLock { entries -> EventLoopFuture<ByteBuffer>? in
            func isCurrent(_ entry: Entry) -> Bool {
                (0..<Self.interval).contains(now - entry.madeAt.millisecondsSince1970)
            }
            if let entry = entries[channel.name], isCurrent(entry) { return entry.picture }
            entries = entries.filter { isCurrent($0.value) }
            let lowest = channel.lowestKeyFrame.flatMap { KeyFrame($0.unit, $0.configuration) }
            guard
                let frame = lowest
                    ?? KeyFrame(last.unit, last.track.configuration, last.track.foreignCodec)
            else { return nil }
            let picture = worker.picture(of: frame)
            entries[channel.name] = Entry(madeAt: WallClockTime(millisecondsSince1970: now), picture: picture)
            return picture
        }
        do {
            return try await picture?.get()
        } catch {
            logger.debug("there is no picture", metadata: [.channelName: "\(name)", .error: "\(error)"])
            return nil
        }
    }

    /// Ends the worker.
    package func close() { worker.close() }
}
