import Codecs
package import LiveChannels
import MediaCore
package import NIOCore
import TransportStream

/// Sends a channel as a transport stream: what the publisher sends, from the last key frame on. Confined to the event
/// loop of the connection.
package final class TransportStreamReader: LiveFanOutReceiver {
    /// Bytes of a message: seven packets, as many as one datagram holds.
    private static let messageByteCount = 7 * 188

    private let fanOut: LiveFanOut
    private let eventLoop: any EventLoop
    private let send: (ByteBuffer) -> Bool
    private var subscription: Int?
    private var tracks: [LiveReaderTrack] = []
    private var multiplexer = TSMultiplexer(tracks: [])
    private var needsKeyFrame = true
    private var hasVideo = false
    /// Whether somebody may go on reading.
    package var mayGoOn: () -> Bool = { true }
    /// Called when the push has ended.
    package var onEnd: (() -> Void)?
    /// Frames that the reader was too slow for.
    package private(set) var droppedCount = 0
    package private(set) var sentByteCount = 0

    /// - Parameters:
    ///   - fanOut: the channel's units.
    ///   - eventLoop: the event loop.
    ///   - send: sends a message; false if there is no room for it.
    package init(_ fanOut: LiveFanOut, on eventLoop: any EventLoop, send: @escaping (ByteBuffer) -> Bool) {
        (self.fanOut, self.eventLoop, self.send) = (fanOut, eventLoop, send)
    }

    /// Begins with the units since the last key frame. A channel that is off the air begins when a push does.
    package func begin() {
        let new = fanOut.subscribe(self, on: eventLoop)
        subscription = new.identifier
        follow(new.broadcast)
        for unit in new.units { write(unit) }
    }

    /// Ends it. Has no effect after the first call.
    package func end() {
        if let subscription { fanOut.unsubscribe(subscription) }
        (subscription, onEnd) = (nil, nil)
    }

    package func receive(_ event: LiveFanOutEvent, subscription: Int) {
        guard subscription == self.subscription else { return }
        switch event {
        case .began(let broadcast): follow(broadcast)
        case .configured(let configuration, let index):
            guard tracks.indices.contains(index) else { return }
            tracks[index].configuration = configuration
            multiplexer.set(tracks.map(\.configuration))
        case .unit(let unit): write(unit)
        case .ended: onEnd?()
        }
    }

    private func follow(_ broadcast: LiveBroadcast?) {
        tracks = broadcast?.tracks ?? []
        // Times begin again with the push.
        multiplexer = TSMultiplexer(tracks: tracks.map(\.configuration))
        hasVideo = tracks.contains { $0.track.mediaType == .video }
        needsKeyFrame = hasVideo
    }

    private func write(_ live: LiveUnit) {
        guard tracks.indices.contains(live.trackIndex) else { return }
        let track = tracks[live.trackIndex].track
        if needsKeyFrame {
            guard track.mediaType == .video, live.unit.isRandomAccessPoint else { return }
            needsKeyFrame = false
        }
        var packets = ByteBuffer()
        multiplexer.write(live.unit, track: live.trackIndex, timescale: track.timescale, into: &packets)
        while packets.readableBytes > 0 {
            guard let message = packets.readSlice(length: min(packets.readableBytes, Self.messageByteCount)) else {
                return
            }
            guard send(message) else {
                // The rest of the frame is of no use, nor what refers to it.
                droppedCount += 1
                if track.mediaType == .video { needsKeyFrame = true }
                return
            }
            sentByteCount += message.readableBytes
        }
    }
}
