import LiveChannels
import LogMetadata
import Logging
import MediaCore
import Scoreboard
import ServiceLifecycle
import Synchronization
import Workflows

/// Announces each change of a score in the stream of its channel: as a date range in playlists (EXT-X-DATERANGE), and
/// as an ID3 tag in the next part, for players that draw a board of their own.
///
/// A date range never changes: a correction is another one, which names the entry that it replaces.
struct ScoreAnnouncements: Service {
    private struct Change: Sendable {
        var match: ScoreMatch
        var entry: MatchEntry
    }

    /// Limit of the changes that wait. The newest count.
    private static let maximumWaitingCount = 256
    /// The age of an entry that is not announced any more: its frame has long left what viewers are shown.
    private static let maximumAge = Duration.seconds(60)

    private let channels: any ChannelContent
    private let wallClock: WallClock
    private let logger: Logger
    private let changes: AsyncStream<Change>
    /// The newest change of each channel that has no media yet. It is announced once there is some.
    private let waiting = Waiting()

    private final class Waiting: Sendable {
        let changes = Mutex([String: Change]())
    }

    /// - Parameters:
    ///   - scoreboard: the matches.
    ///   - channels: the channels.
    ///   - wallClock: tells the age of entries.
    ///   - logger: receives what could not be announced.
    init(_ scoreboard: Scoreboard, channels: any ChannelContent, wallClock: WallClock, logger: Logger) {
        (self.channels, self.wallClock, self.logger) = (channels, wallClock, logger)
        let (changes, input) = AsyncStream.makeStream(
            of: Change.self, bufferingPolicy: .bufferingNewest(Self.maximumWaitingCount))
        self.changes = changes
        scoreboard.listen { match, entries in
            for entry in entries { input.yield(Change(match: match, entry: entry)) }
        }
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await change in changes {
                    guard await !announce(change) else { continue }
                    let channel = change.match.setup.channel
                    let isFirst = waiting.changes.withLock { $0.updateValue(change, forKey: channel) == nil }
                    if isFirst { group.addTask { await wait(channel) } }
                }
                group.cancelAll()
            }
        }
    }

    /// Tries again until the channel has media, or its newest change is too old.
    private func wait(_ channel: String) async {
        while (try? await BeatClock().sleep(for: BeatClock.interval)) != nil {
            guard let change = waiting.changes.withLock({ $0[channel] }) else { return }
            guard await announce(change) else { continue }
            let isDone = waiting.changes.withLock { changes in
                guard let newest = changes[channel], newest.match.id == change.match.id,
                    newest.entry.sequence == change.entry.sequence
                else { return false }
                changes[channel] = nil
                return true
            }
            if isDone { return }
        }
    }

    /// - Returns: false if the channel has no media at the moment.
    private func announce(_ change: Change) async -> Bool {
        let (match, entry) = (change.match, change.entry)
        guard wallClock.now() - entry.time <= Self.maximumAge,
            let metadata = try? ScoreMetadata(match, entry).metadata
        else { return true }
        do {
            _ = try await channels.announce(metadata, onChannel: match.setup.channel)
        } catch let error as TimedMetadataError where error.code == .notLive {
            return false
        } catch {
            logger.debug(
                "the score could not be announced in the stream",
                metadata: [.channelName: "\(match.setup.channel)", .reason: "\(error)"])
        }
        return true
    }
}
