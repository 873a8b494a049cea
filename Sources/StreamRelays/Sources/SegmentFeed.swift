import ChannelPublishing
import LiveChannels
import MediaCore
import NIOCore

/// The push that segments are fed to. Confined to its event loop.
final class SegmentFeed {
    private let push: GatheredPush
    private let stream: TransportStreamPush

    /// - Parameter playlistCount: the playlists from which segments come.
    init(_ push: GatheredPush, on eventLoop: any EventLoop, expecting playlistCount: Int) {
        self.push = push
        stream = TransportStreamPush(push, on: eventLoop)
        if playlistCount > 1 { push.expect([.video, .audio]) }
    }

    func take(stream bytes: ByteBuffer) throws { try stream.receive(bytes) }

    /// Notes the tracks of a segment.
    func note(_ tracks: [FragmentedSegment.SegmentTrack], isOnly: Bool) {
        if isOnly { push.expect(Set(tracks.map(\.mediaType))) }
        for track in tracks {
            push.set(
                track.mediaType, PushedTrack(timescale: track.timescale, configuration: track.configuration))
        }
    }

    func take(_ unit: AccessUnit, of mediaType: MediaType) throws { try push.deliver(unit, of: mediaType) }

    func unitsArrived() { push.unitsArrived() }

    func end(_ reason: String, isIntended: Bool) {
        stream.end(reason: reason, isIntended: isIntended)
        push.end(reason: reason, isIntended: isIntended)
    }
}
