package import Codecs
package import MediaCore
package import NIOCore
import RTPTransport

/// A stream that is pushed as it comes, without being captured: a copy of a channel. Belongs to its event loop.
package final class StreamCopy {
    /// A track that is pushed.
    package struct CopiedTrack: Sendable {
        package var configuration: CodecConfiguration?
        package var foreignCodec: ForeignCodec?
        package var timescale: Timescale

        package init(configuration: CodecConfiguration?, foreignCodec: ForeignCodec?, timescale: Timescale) {
            (self.configuration, self.foreignCodec, self.timescale) = (configuration, foreignCodec, timescale)
        }

        fileprivate var format: RTPPayloadFormat? {
            RTPPayloadFormat(configuration: configuration, foreignCodec: foreignCodec)
        }
    }

    /// The bits per second for which sockets are made ready.
    private static let bitRate = 8_000_000

    private let connection: PushConnection
    package private(set) var droppedCount = 0
    private var needsKeyFrame: Bool

    /// Whether a track can be sent by RTP.
    package static func carries(_ track: CopiedTrack) -> Bool { track.format != nil }

    /// - Parameters:
    ///   - target: the server.
    ///   - tracks: at most one of each kind; those that cannot be sent are left out.
    ///   - eventLoop: the event loop.
    ///   - onStart: called when the server takes media.
    ///   - onEnd: called with the reason when the push has ended.
    package init(
        to target: PushTarget, tracks: [CopiedTrack], on eventLoop: any EventLoop, onStart: @escaping () -> Void,
        onEnd: @escaping (String) -> Void
    ) {
        var generator = SystemRandomNumberGenerator()
        let usable = tracks.compactMap { track in track.format.map { ($0, track.timescale) } }
        let pushed = usable.enumerated().map { index, track in
            PushTrack(track.0, index: index, timescale: track.1, using: &generator)
        }
        needsKeyFrame = pushed.contains { $0.mediaType == .video }
        connection = PushConnection(
            target, tracks: pushed, bitRate: Self.bitRate, startOfCapture: WallClock.system.now(),
            canonicalName: "antena", eventLoop: eventLoop
        ) { event in
            switch event {
            case .recording: onStart()
            case .writable: break
            case .ended(let error, _): onEnd(error?.reason ?? "the server has ended the push")
            }
        }
    }

    package func connect() { connection.connect() }

    package var sentByteCount: Int { connection.statistics.byteCount }

    /// Sends a unit. One for which there is no room is dropped, and pictures up to the next key frame.
    package func send(_ unit: AccessUnit, of mediaType: MediaType) {
        guard connection.isRecording else { return }
        guard connection.isWritable else {
            droppedCount += 1
            if mediaType == .video { needsKeyFrame = true }
            return
        }
        if needsKeyFrame {
            guard mediaType == .video, unit.isRandomAccessPoint else { return }
            needsKeyFrame = false
        }
        connection.send(unit, of: mediaType)
        connection.flush()
    }

    /// Adopts changed parameters of a track.
    package func update(_ track: CopiedTrack) { if let format = track.format { connection.update(format) } }

    /// Ends the push.
    package func end() { connection.detach() }
}
