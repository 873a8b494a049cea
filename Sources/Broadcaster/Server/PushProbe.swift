import MediaCore
import Codecs
import NIOCore
import NIOPosix
import RTPTransport

/// Checks whether publishing would succeed: the server's RTSP port answers, knows the channel, and accepts the
/// credentials. Announces a stream and closes the connection before anything is sent.
package enum PushProbe {
    /// Checks a target.
    ///
    /// - Throws: ``BroadcastError`` if publishing would fail.
    package static func run(_ target: PushTarget) async throws(BroadcastError) {
        try await run(target, group: MultiThreadedEventLoopGroup.singleton)
    }

    static func run(
        _ target: PushTarget, group: any EventLoopGroup
    ) async throws(BroadcastError) {
        let eventLoop = group.next()
        let promise = eventLoop.makePromise(of: BroadcastError?.self)
        eventLoop.execute {
            let tracks = probeTracks()
            guard !tracks.isEmpty else { return promise.succeed(nil) }
            let holder = Holder()
            holder.connection = PushConnection(
                target, tracks: tracks, bitRate: 0, startOfCapture: .unixEpoch, canonicalName: "antena-probe",
                eventLoop: eventLoop, isProbe: true
            ) { event in
                if case .ended(let error, _) = event {
                    holder.connection = nil
                    promise.succeed(error)
                }
            }
            holder.connection?.connect()
        }
        let error: BroadcastError?
        do { error = try await promise.futureResult.get() } catch { throw BroadcastError(.connectionLost, "\(error)") }
        if let error { throw error }
    }

    /// Keeps the connection until its last event. Belongs to its event loop.
    private final class Holder {
        var connection: PushConnection?
    }

    /// The tracks to announce, one video and one audio: servers that are set up for both (gst-rtsp-server) refuse less.
    private static func probeTracks() -> [PushTrack] {
        guard let video = try? H264Configuration(parsingRecord: videoRecord),
            let audio = try? AACConfiguration(sampleRate: 48_000, channelCount: 2)
        else { return [] }
        var generator = SystemRandomNumberGenerator()
        let formats: [(RTPPayloadFormat, Timescale)] = [
            (.h264(video), .video90kHz), (.aac(audio), Timescale(48_000)),
        ]
        return formats.enumerated().map { index, format in
            PushTrack(format.0, index: index, timescale: format.1, using: &generator)
        }
    }

    /// A configuration record of libx264 for 128 × 72 at 24 frames per second, High profile: within any preset.
    private static let videoRecord: [UInt8] = [
        0x01, 0x64, 0x00, 0x0A, 0xFF, 0xE1, 0x00, 0x19, 0x67, 0x64, 0x00, 0x0A, 0xAC, 0xB2, 0x04, 0x17, 0xF2, 0xE0,
        0x22,
        0x00, 0x00, 0x03, 0x00, 0x02, 0x00, 0x00, 0x03, 0x00, 0x60, 0x1E, 0x24, 0x4C, 0x90, 0x01, 0x00, 0x06, 0x68,
        0xEB,
        0xC3, 0xCB, 0x22, 0xC0, 0xFD, 0xF8, 0xF8, 0x00,
    ]
}
