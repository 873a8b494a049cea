package import HLSDelivery
package import HTTPTypes
package import MediaCore
package import NIOCore
import Synchronization

/// Counts who watches which title at the moment, by the segments that players fetch.
package final class TitleAudience: PlaybackObserver {
    /// The address of the client behind a reverse proxy; `nil` for one with a connection of its own.
    package typealias ClientNaming = @Sendable (HTTPFields, SocketAddress?) -> String?

    private struct Viewer {
        var title: String
        var client: ClientKind
        var seen: WallClockTime
    }

    private struct State {
        var viewers: [UInt64: Viewer] = [:]
        var droppedAt: WallClockTime?
    }

    private let state = Mutex(State())
    private let wallClock: WallClock
    private let client: ClientNaming

    /// The time without a segment after which a viewer is gone: players fetch some ahead.
    static let window = Duration.seconds(60)
    /// Limit of the viewers that are told apart; more are not counted.
    static let maximumViewerCount = 50_000
    private static let dropInterval = Duration.seconds(1)

    /// - Parameters:
    ///   - wallClock: the time.
    ///   - client: tells viewers behind a reverse proxy apart.
    package init(wallClock: WallClock, client: @escaping ClientNaming = { _, _ in nil }) {
        (self.wallClock, self.client) = (wallClock, client)
    }

    package func played(_ playback: TitlePlayback) {
        let title: String
        switch playback.subject {
        case .title(let id): title = id.text
        case .titleFile, .channel, .track: return
        }
        let agent = playback.fields[.userAgent]
        var hasher = Hasher()
        hasher.combine(client(playback.fields, playback.peer) ?? playback.peer?.ipAddress)
        hasher.combine(agent)
        let key = UInt64(bitPattern: Int64(hasher.finalize()))
        let now = wallClock.now()
        state.withLock { state in
            if var viewer = state.viewers[key] {
                (viewer.title, viewer.seen) = (title, now)
                state.viewers[key] = viewer
                return
            }
            if state.viewers.count >= Self.maximumViewerCount {
                if let droppedAt = state.droppedAt, (now - droppedAt).magnitude < Self.dropInterval { return }
                Self.dropOld(&state, now)
                guard state.viewers.count < Self.maximumViewerCount else { return }
            }
            state.viewers[key] = Viewer(title: title, client: ClientKind(userAgent: agent), seen: now)
        }
    }

    private static func dropOld(_ state: inout State, _ now: WallClockTime) {
        state.droppedAt = now
        state.viewers = state.viewers.filter { (now - $0.value.seen).magnitude < window }
    }

    /// The numbers of viewers by title, and by the kind of their program.
    package func counts() -> (titles: [String: Int], clients: [ClientKind: Int]) {
        let now = wallClock.now()
        return state.withLock { state in
            Self.dropOld(&state, now)
            var counts: (titles: [String: Int], clients: [ClientKind: Int]) = ([:], [:])
            for viewer in state.viewers.values {
                counts.titles[viewer.title, default: 0] += 1
                counts.clients[viewer.client, default: 0] += 1
            }
            return counts
        }
    }
}
