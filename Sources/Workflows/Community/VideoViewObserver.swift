import Accounts
package import Community
package import HLSDelivery
package import HTTPEndpoints
import HTTPTypes
import MediaCore
import NIOCore
import Synchronization

/// Counts views of published videos by the segments that players fetch.
///
/// Event loops only note who has played enough. Which account somebody has, and which video a title is, is found out
/// with the next ``flush()``.
package final class VideoViewObserver: PlaybackObserver {
    private struct Waiting {
        var title: VideoView.Title
        /// The hash of address and user agent.
        var stranger: UInt64
        /// The fields that identify the account; `nil` if there are none.
        var identifying: (fields: HTTPFields, peer: SocketAddress?)?
    }

    private let community: Community
    private let authority: RequestAuthority
    private let meter = PlaybackMeter()
    private let waiting = Mutex<[Waiting]>([])

    /// Limit of the views that wait for ``flush()``; more are not counted.
    static let maximumWaitingCount = 10_000

    /// - Parameters:
    ///   - community: counts the views.
    ///   - authority: finds out who watches.
    package init(community: Community, authority: RequestAuthority) {
        (self.community, self.authority) = (community, authority)
    }

    package func played(_ playback: TitlePlayback) {
        let title: VideoView.Title
        switch playback.subject {
        case .title(let id): title = .id(id.text)
        case .titleFile(let name): title = .file(name.text)
        case .channel, .track: return
        }
        let origin = authority.origin(playback.fields, from: playback.peer)
        // The seed of each process is random, and nothing else is kept of who watches.
        var hasher = Hasher()
        hasher.combine(origin.address)
        hasher.combine(origin.device)
        let stranger = Self.key(hasher)
        hasher.combine(title)
        let isView = meter.saw(
            Self.key(hasher), segment: playback.segment, duration: playback.duration, of: playback.total,
            now: community.now)
        guard isView else { return }
        let hasCredential = !authority.credential(in: playback.fields).isEmpty
        let view = Waiting(
            title: title, stranger: stranger,
            identifying: hasCredential
                ? (authority.identifyingFields(in: playback.fields), playback.peer) : nil)
        waiting.withLock { waiting in
            if waiting.count < Self.maximumWaitingCount { waiting.append(view) }
        }
    }

    private static func key(_ hasher: Hasher) -> UInt64 { UInt64(bitPattern: Int64(hasher.finalize())) }

    /// Writes the views since the last call.
    ///
    /// - Throws: `SQLError`
    package func flush() async throws {
        meter.removeOld(now: community.now)
        let views = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        var counted: [VideoView] = []
        for view in views { counted.append(VideoView(await viewer(view), view.title)) }
        try await community.count(counted)
        try await community.flushViews()
    }

    /// The viewer of a title; one whose account cannot be found out is a stranger.
    private func viewer(_ view: Waiting) async -> VideoView.Viewer {
        guard let (fields, peer) = view.identifying,
            let identity = try? await authority.identify(fields, from: peer),
            let member = identity.permissions.acting(identity.caller.principal, .read, .title()).member
        else { return .stranger(view.stranger) }
        return .account(member.id)
    }
}
