import Dispatch
import Foundation
package import Logging
import LogMetadata
import MediaCore
import Synchronization

/// Stores each channel's state in a small JSON file, which a thread of its own replaces atomically every few segments.
package final class FileChannelStateStore: ChannelStateStore {
    private let directory: String
    private let logger: Logger
    private let queue = DispatchQueue(label: "antena.channel-state", qos: .utility)
    private let states = Mutex(States())

    private struct States {
        /// The newest states that are not yet written, keyed by channel, so that their number is bounded.
        var pending: [String: ChannelState] = [:]
        /// The state that each channel last handed over to be written.
        var latest: [String: ChannelState] = [:]

        /// Accepts a new state.
        ///
        /// - Returns: whether a write has to be started.
        mutating func take(_ state: ChannelState, of channel: String) -> Bool {
            if let last = latest[channel], last.discontinuityCount == state.discontinuityCount,
                last.targetDuration == state.targetDuration, last.neededTargetDuration == state.neededTargetDuration,
                (0..<FileChannelStateStore.segmentsPerWrite).contains(
                    state.nextMediaSequence - last.nextMediaSequence)
            {
                return false
            }
            latest[channel] = state
            return pending.updateValue(state, forKey: channel) == nil
        }
    }

    /// Segments after which the state is written again. One write per segment would be one every 2 s for each of a
    /// hundred channels, and each waits for the disk.
    static let segmentsPerWrite = 4
    /// Numbers that are skipped after a restart because they may have been used: those since the last write, and those
    /// that may be lost between hand-over and disk.
    static let skippedSegmentCount = segmentsPerWrite + 2
    static let skippedDiscontinuityCount = 1
    /// Limit on stored numbers: a larger number is damage. Players that keep numbers as IEEE doubles are exact up to
    /// here.
    static let maximumCount = 1 << 53
    /// Target durations in seconds that `channels.json` allows.
    static let targetDurations = 1...60

    /// - Parameters:
    ///   - directory: the folder of the files; it is made if it does not exist.
    ///   - logger: receives the log.
    package init(directory: String, logger: Logger) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        self.directory = directory
        self.logger = logger
    }

    package func load(channel: String) -> ChannelState? {
        guard let data = FileManager.default.contents(atPath: path(of: channel)) else { return nil }
        do {
            var state = try JSONDecoder().decode(ChannelState.self, from: data)
            guard (0...Self.maximumCount).contains(state.nextMediaSequence),
                (0...Self.maximumCount).contains(state.discontinuityCount),
                [state.targetDuration, state.neededTargetDuration].compactMap(\.self)
                    .allSatisfy(Self.targetDurations.contains),
                (0...Int64(Self.maximumCount)).contains(state.mediaEnd ?? 0)
            else { throw ImplausibleState(state: state) }
            state.nextMediaSequence += Self.skippedSegmentCount
            state.discontinuityCount += Self.skippedDiscontinuityCount
            return state
        } catch {
            logger.warning(
                "channel state cannot be read; sequence numbers start from the clock",
                metadata: [.channelName: "\(channel)", .error: "\(error)"])
            // Seconds since 1970 are larger than any number that was counted up from zero.
            let seconds = Int(WallClock.system.now().secondsSince1970)
            return ChannelState(nextMediaSequence: seconds, discontinuityCount: seconds)
        }
    }

    private struct ImplausibleState: Error {
        var state: ChannelState
    }

    package func save(_ state: ChannelState, channel: String) {
        guard states.withLock({ $0.take(state, of: channel) }) else { return }
        queue.async { [self] in
            guard let state = states.withLock({ $0.pending.removeValue(forKey: channel) }) else { return }
            do {
                // Every few segments of each channel: the numbers skip some after a power failure in any case.
                try FileReplacement.write(
                    [UInt8](try JSONEncoder().encode(state)), to: path(of: channel), permissions: 0o644,
                    durability: .inCache)
            } catch {
                logger.warning(
                    "channel state cannot be written",
                    metadata: [.channelName: "\(channel)", .error: "\(FileErrorText(error))"])
            }
        }
    }

    /// Waits until all states that were handed over have been written, for an orderly shutdown.
    package func flush() { queue.sync {} }

    private func path(of channel: String) -> String { "\(directory)/\(channel).json" }
}
