import MediaCore
import Codecs
import NIOCore
import NIOPosix
import RTPTransport

/// Whether a push would be taken: the server's RTSP port answers, knows the channel, and takes the credentials.
/// Announces a push and takes it back before anything is sent.
package enum PushProbe {
    /// - Throws: ``BroadcastError``, where it would not be.
    package static func run(_ target: PushTarget) async throws(BroadcastError) {
        try await run(target, group: MultiThreadedEventLoopGroup.singleton)
    }

    static func run(
        _ target: PushTarget, group: any EventLoopGroup
    ) async throws(BroadcastError) {
        let eventLoop = group.next()
        let promise = eventLoop.makePromise(of: BroadcastError?.self)
        eventLoop.execute {
            guard let track = probeTrack() else { return promise.succeed(nil) }
            let holder = Holder()
            holder.connection = PushConnection(
                target, tracks: [track], bitRate: 0, startOfCapture: 0, canonicalName: "antena-probe",
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

    private static func probeTrack() -> PushTrack? {
        guard let configuration = try? AACConfiguration(sampleRate: 48_000, channelCount: 2) else { return nil }
        var generator = SystemRandomNumberGenerator()
        return PushTrack(.aac(configuration), index: 0, timescale: Timescale(48_000), using: &generator)
    }
}
