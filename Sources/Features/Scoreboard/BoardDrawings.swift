import Accounts
import BoardDrawing
import LogMetadata
import Logging
import MediaCore
import Scoreboard
import ServiceLifecycle
import Workflows

/// Has the scoreboards of channels drawn into their pictures, if they are configured so: hands over the states of the
/// current match when it changes, and looks now and then for matches that are removed or that began elsewhere.
struct BoardDrawings: Service {
    /// The age of states that frames may still need: they are seconds late at most.
    private static let maximumAge = Duration.seconds(60)
    /// The beats between two looks at all channels.
    private static let lookInterval = 10
    /// Limit of the changes that wait; the newest state is read anyway.
    private static let maximumWaitingCount = 64

    private let scoreboard: Scoreboard
    private let channels: any ChannelContent
    private let logger: Logger
    private let changes: AsyncStream<String?>
    private let input: AsyncStream<String?>.Continuation

    /// The states that a channel was last given.
    private struct Shown {
        var match: OpaqueID?
        /// The last states of the match before.
        var before: [DatedBoard] = []
        var boards: [DatedBoard] = []
    }

    /// - Parameters:
    ///   - scoreboard: the matches.
    ///   - channels: the channels.
    ///   - logger: receives what could not be read.
    init(_ scoreboard: Scoreboard, channels: any ChannelContent, logger: Logger) {
        (self.scoreboard, self.channels, self.logger) = (scoreboard, channels, logger)
        let (changes, input) = AsyncStream.makeStream(
            of: String?.self, bufferingPolicy: .bufferingNewest(Self.maximumWaitingCount))
        (self.changes, self.input) = (changes, input)
        scoreboard.listen { match, _ in input.yield(match.setup.channel) }
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // A change names its channel; a beat is a look at all channels.
                group.addTask { await beat() }
                var shown: [String: Shown] = [:]
                for await change in changes {
                    let drawn = channels.drawnScoreboards()
                    for (channel, language) in drawn where change.map({ $0 == channel }) ?? true {
                        await look(at: channel, language, &shown[channel, default: Shown()])
                    }
                    let names = Set(drawn.map(\.channel))
                    shown = shown.filter { names.contains($0.key) }
                }
                group.cancelAll()
            }
        }
    }

    private func beat() async {
        while true {
            input.yield(nil)
            for _ in 0..<Self.lookInterval {
                guard (try? await BeatClock().sleep(for: BeatClock.interval)) != nil else { return input.finish() }
            }
        }
    }

    private func look(at channel: String, _ language: String, _ shown: inout Shown) async {
        let now = scoreboard.now
        do {
            let match = try await scoreboard.currentMatch(of: channel)
            let states = match.map { DrawnBoard($0, language: language).states(since: now - Self.maximumAge) } ?? []
            if let match, let first = states.first {
                // Frames before the match still show the one before.
                if match.id != shown.match { shown = Shown(match: match.id, before: shown.boards.suffix(2)) }
                shown.boards = shown.before.filter { $0.from < first.from } + states
            } else if shown.boards.last?.board != nil {
                // The match was abandoned or removed.
                shown = Shown(boards: shown.boards.suffix(2) + [DatedBoard(from: now, board: nil)])
            }
            channels.draw(shown.boards, onChannel: channel)
        } catch {
            logger.debug(
                "scoreboard to draw could not be read; will retry",
                metadata: [.channelName: "\(channel)", .error: "\(error)"])
        }
    }
}
