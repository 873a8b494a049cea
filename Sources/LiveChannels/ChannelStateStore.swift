import Dispatch
import Foundation
package import Logging
import Synchronization

/// What must outlive a restart, so that a player that was watching goes on: its sequence numbers never go back.
package struct ChannelState: Sendable, Hashable, Codable {
    /// Of the next segment.
    package var nextMediaSequence: Int
    /// How many discontinuities the channel has had.
    package var discontinuityCount: Int
}

/// Keeps ``ChannelState``s. Neither call waits for a disk on the caller's thread for long: loading happens once at
/// start, saving is handed over.
package protocol ChannelStateStore: Sendable {
    func load(channel: String) -> ChannelState?
    func save(_ state: ChannelState, channel: String)
}

/// Keeps each channel's state in a small JSON file, replaced atomically by a thread of its own.
package final class FileChannelStateStore: ChannelStateStore {
    private let directory: String
    private let logger: Logger
    private let queue = DispatchQueue(label: "antena.channel-state", qos: .utility)
    /// Newest state not yet written; one a channel, so the queue is bounded by their number.
    private let pending = Mutex([String: ChannelState]())

    /// A state may be lost between its hand-over and the disk; numbers that may have been used are skipped.
    static let skippedSegmentCount = 2
    static let skippedDiscontinuityCount = 1
    /// Beyond it a number is damage, not a count; players that keep numbers as IEEE doubles are exact up to here.
    static let maximumCount = 1 << 53

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
                (0...Self.maximumCount).contains(state.discontinuityCount)
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
        let isFirst = pending.withLock { $0.updateValue(state, forKey: channel) == nil }
        guard isFirst else { return }
        queue.async { [self] in
            guard let state = pending.withLock({ $0.removeValue(forKey: channel) }) else { return }
            do {
                let data = try JSONEncoder().encode(state)
                try data.write(to: URL(fileURLWithPath: path(of: channel)), options: .atomic)
            } catch {
                logger.warning(
                    "a channel's state cannot be written",
                    metadata: ["channel.name": "\(channel)", "error": "\(error)"])
            }
        }
    }

    /// Waits until everything handed over has been written: for an orderly end.
    package func flush() { queue.sync {} }

    private func path(of channel: String) -> String { "\(directory)/\(channel).json" }
}
