import MediaCore
import Synchronization

/// The players that watch with each rental at the moment: those that asked for media within ``window``.
///
/// They are counted in the memory of this server, without cookies and never waiting. A player that stops asking makes
/// room by itself, so a telephone that changes from one network to another counts twice for a minute at most.
package final class RentalPlayers: Sendable {
    private struct Sighting {
        let player: RentalPlayer
        var seenAt: Duration
    }

    private struct State {
        /// The players of each rental, in the order in which they began.
        var sightings: [String: [Sighting]] = [:]
        var count = 0

        mutating func update(_ rental: String, _ change: (inout [Sighting]) -> Void) {
            var players = sightings.removeValue(forKey: rental) ?? []
            count -= players.count
            change(&players)
            count += players.count
            if !players.isEmpty { sightings[rental] = players }
        }
    }

    /// The time without a request after which a player has gone: several segments, and a pause of the network.
    package static let window = Duration.seconds(60)
    /// Limit on the players of all rentals; each takes about 100 bytes. Further ones play without being counted until
    /// the next sweep, because the limit is no reason to refuse somebody who has paid.
    static let maximumCount = 50_000

    private let state = Mutex(State())
    private let uptime: @Sendable () -> Duration
    private let maximumCount: Int

    /// - Parameters:
    ///   - uptime: the time since some start, which no change of the time of day moves.
    ///   - maximumCount: the limit on the players of all rentals.
    package init(
        uptime: @escaping @Sendable () -> Duration = ContinuousClock().elapsed(), maximumCount: Int = maximumCount
    ) {
        (self.uptime, self.maximumCount) = (uptime, maximumCount)
    }

    /// Whether a player may have something of a rented title. One that may counts as present from now on.
    ///
    /// - Parameters:
    ///   - player: the player.
    ///   - rental: the ID of the rental.
    ///   - limit: the number of players that a rental may have at the same time. If it has become lower, those that
    ///     began first go on.
    ///   - isPlaying: whether the request is for the film itself. What a page asks for beside the player, such as
    ///     chapters, takes no place, and comes with whatever plays at the same address.
    package func admits(_ player: RentalPlayer, to rental: String, limit: Int, isPlaying: Bool) -> Bool {
        let now = uptime()
        return state.withLock { state in
            var isAdmitted = false
            let isFull = state.count >= maximumCount
            state.update(rental) { players in
                Self.dropOld(&players, now)
                let admitted = players.prefix(limit)
                if let index = admitted.firstIndex(where: { $0.player == player }) {
                    players[index].seenAt = now
                    isAdmitted = true
                } else if players.count < limit {
                    if isPlaying, !isFull { players.append(Sighting(player: player, seenAt: now)) }
                    isAdmitted = true
                } else {
                    isAdmitted = !isPlaying && admitted.contains { $0.player.place == player.place }
                }
            }
            return isAdmitted
        }
    }

    /// The number of players of a rental.
    package func count(of rental: String) -> Int {
        let now = uptime()
        return state.withLock { state in
            state.sightings[rental]?.count { !Self.isOld($0, now) } ?? 0
        }
    }

    /// The number of players that are remembered.
    var rememberedCount: Int { state.withLock { $0.count } }

    /// Forgets players that have gone. Called with each sweep of the club.
    func sweep() {
        let now = uptime()
        state.withLock { state in
            for rental in Array(state.sightings.keys) { state.update(rental) { Self.dropOld(&$0, now) } }
        }
    }

    private static func dropOld(_ players: inout [Sighting], _ now: Duration) { players.removeAll { isOld($0, now) } }

    private static func isOld(_ sighting: Sighting, _ now: Duration) -> Bool { now - sighting.seenAt >= window }
}
