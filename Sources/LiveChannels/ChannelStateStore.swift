import Dispatch
import Foundation
package import Logging
import MediaCore
import Synchronization

/// The part of a channel's state that must survive a restart, so that a player that was watching can continue: sequence
/// numbers never go back.
package struct ChannelState: Sendable, Hashable, Codable {
    /// The media sequence number of the next segment.
    package var nextMediaSequence: Int
    /// The number of discontinuities that the channel has had.
    package var discontinuityCount: Int
    /// The target duration of the channel's playlists, in seconds; absent if none has been shown yet.
    package var targetDuration: Int?
    /// The target duration that the channel's last publisher needed, in seconds; see ``TargetDurationPolicy``.
    package var neededTargetDuration: Int?
    /// The end of the newest segment's media on the channel's timeline, in microseconds; absent before the first
    /// segment.
    package var mediaEnd: Int64?
    /// The time at which that segment was published, in milliseconds since 1970.
    package var mediaEndedAt: Int64?
}

extension ChannelState {
    /// The start of the media of a push after a restart; `nil` if it is not known. Players built on ffmpeg, and mpv,
    /// ignore discontinuities, and stall for as long as times go back.
    ///
    /// - Parameter now: milliseconds since 1970. The state is written every few segments, and the media published since
    ///   then did not last longer than the time that has passed.
    func mediaStart(now: Int64) -> MediaTime? {
        guard let mediaEnd, let mediaEndedAt else { return nil }
        let longest = Int64(FileChannelStateStore.skippedSegmentCount * (targetDuration ?? 1)) * 1_000
        let passed = min(max(0, now.subtractingSaturating(mediaEndedAt)), longest)
        return MediaTime(value: mediaEnd.addingSaturating(passed * 1_000), timescale: .microseconds)
    }
}

/// Stores ``ChannelState``s. Neither call blocks for long: loading happens once at the start, and saving is handed
/// over.
package protocol ChannelStateStore: Sendable {
    /// The stored state of a channel; `nil` if there is none.
    func load(channel: String) -> ChannelState?
    /// Stores a channel's state; returns at once.
    func save(_ state: ChannelState, channel: String)
}

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

    /// - Parameter directory: the folder of the files; it is made if it does not exist.
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
                metadata: ["channel.name": "\(channel)", "error": "\(error)"])
            // Seconds since 1970 are larger than any number that was counted up from zero.
            let seconds = Int(Date().timeIntervalSince1970)
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
                let data = try JSONEncoder().encode(state)
                try data.write(to: URL(fileURLWithPath: path(of: channel)), options: .atomic)
            } catch {
                logger.warning(
                    "channel state cannot be written",
                    metadata: ["channel.name": "\(channel)", "error": "\(FileErrorText(error))"])
            }
        }
    }

    /// Waits until all states that were handed over have been written, for an orderly shutdown.
    package func flush() { queue.sync {} }

    private func path(of channel: String) -> String { "\(directory)/\(channel).json" }
}
