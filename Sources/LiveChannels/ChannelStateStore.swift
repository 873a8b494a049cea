import Dispatch
import Foundation
package import Logging
import MediaCore
import Synchronization

/// What must outlive a restart, so that a player that was watching goes on: its sequence numbers never go back.
package struct ChannelState: Sendable, Hashable, Codable {
    /// Of the next segment.
    package var nextMediaSequence: Int
    /// How many discontinuities the channel has had.
    package var discontinuityCount: Int
    /// Seconds: what the channel's playlists say; absent where none has been shown yet.
    package var targetDuration: Int?
    /// Seconds that the channel's last publisher needed; see ``TargetDurationPolicy``.
    package var neededTargetDuration: Int?
    /// Microseconds: where the media of the newest segment ends on the channel's timeline; absent before the first one.
    package var mediaEnd: Int64?
    /// Milliseconds since 1970: when that was.
    package var mediaEndedAt: Int64?
}

extension ChannelState {
    /// Where the media of a push after a restart begins. ffmpeg's players and mpv take no notice of discontinuities, and
    /// stand still for as long as times go back.
    ///
    /// - Parameter now: milliseconds since 1970. The state is written every few segments, and what was published since
    ///   lasted no longer than the time that has passed.
    func mediaStart(now: Int64) -> MediaTime? {
        guard let mediaEnd, let mediaEndedAt else { return nil }
        let longest = Int64(FileChannelStateStore.skippedSegmentCount * (targetDuration ?? 1)) * 1_000
        let passed = min(max(0, now.subtractingSaturating(mediaEndedAt)), longest)
        return MediaTime(value: mediaEnd.addingSaturating(passed * 1_000), timescale: .microseconds)
    }
}

/// Keeps ``ChannelState``s. Neither call waits for a disk on the caller's thread for long: loading happens once at
/// start, saving is handed over.
package protocol ChannelStateStore: Sendable {
    func load(channel: String) -> ChannelState?
    func save(_ state: ChannelState, channel: String)
}

/// Keeps each channel's state in a small JSON file, replaced atomically by a thread of its own every few segments.
package final class FileChannelStateStore: ChannelStateStore {
    private let directory: String
    private let logger: Logger
    private let queue = DispatchQueue(label: "antena.channel-state", qos: .utility)
    private let states = Mutex(States())

    private struct States {
        /// Newest state not yet written; one a channel, so the queue is bounded by their number.
        var pending: [String: ChannelState] = [:]
        /// What each channel last handed over to be written.
        var latest: [String: ChannelState] = [:]

        /// - Returns: whether a write has to be begun.
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

    /// Segments after which the state is written again: a write a segment is a write every 2 s for each of a hundred
    /// channels, and each waits for the disk.
    static let segmentsPerWrite = 4
    /// Numbers that may have been used are skipped: those since the last write, and those that may be lost between their
    /// hand-over and the disk.
    static let skippedSegmentCount = segmentsPerWrite + 2
    static let skippedDiscontinuityCount = 1
    /// Beyond it a number is damage, not a count; players that keep numbers as IEEE doubles are exact up to here.
    static let maximumCount = 1 << 53
    /// Seconds: what `channels.json` allows.
    static let targetDurations = 1...60

    /// - Parameter directory: made if it does not exist.
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
                "a channel's state cannot be read; its sequence numbers start from the clock",
                metadata: ["channel.name": "\(channel)", "error": "\(error)"])
            // Larger than any number that was counted up from zero.
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

    /// Waits until everything handed over has been written: for an orderly end.
    package func flush() { queue.sync {} }

    private func path(of channel: String) -> String { "\(directory)/\(channel).json" }
}
