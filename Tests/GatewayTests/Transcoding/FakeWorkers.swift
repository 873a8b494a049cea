import MediaCore
import NIOCore
import NIOEmbedded
import Synchronization

@testable import LiveWorkers
@testable import Transcoding

/// Fake live workers controlled by the test, on an event loop with a controllable clock.
final class FakeWorkers: LiveWorkerLauncher {
    struct Worker: LiveWorkerConnection {
        let embedded: EmbeddedChannel
        let onEnd: @Sendable () -> Void
        let used: @Sendable () -> TimeAmount
        var channel: any Channel { embedded }

        func processorTime() -> TimeAmount? { used() }

        func end() -> EventLoopFuture<String> {
            onEnd()
            embedded.close(promise: nil)
            return embedded.eventLoop.makeSucceededFuture("it was killed by SIGKILL")
        }

        func say(_ answers: LiveWorkerAnswer...) throws {
            var buffer = ByteBuffer()
            for answer in answers { answer.write(into: &buffer) }
            try embedded.writeInbound(buffer)
        }

        func say(_ answer: PictureWorkerMessage.Answer) throws {
            var buffer = ByteBuffer()
            answer.write(into: &buffer)
            try embedded.writeInbound(buffer)
        }

        /// The key frames sent to the worker since the last call, without what begins its work.
        func heardKeyFrames() throws -> [KeyFrame] {
            var frames: [KeyFrame] = []
            while var buffer = try embedded.readOutbound(as: ByteBuffer.self) {
                while let message = try LiveWorkerMessage.next(from: &buffer) {
                    guard message.type != PictureWorkerMessage.beginType else { continue }
                    frames.append(try PictureWorkerMessage.keyFrame(type: message.type, body: message.body))
                }
            }
            return frames
        }

        /// The requests sent to the worker since the last call.
        func heard() throws -> [LiveWorkerRequest] {
            var requests: [LiveWorkerRequest] = []
            while var buffer = try embedded.readOutbound(as: ByteBuffer.self) {
                while let message = try LiveWorkerMessage.next(from: &buffer) {
                    requests.append(try LiveWorkerRequest(type: message.type, body: message.body))
                }
            }
            return requests
        }

        func heardTimes() throws -> [Int64] {
            try heard().compactMap { if case .unit(let unit) = $0 { unit.presentationTime } else { nil } }
        }
    }

    private let state = Mutex((workers: [Worker](), ends: 0, used: TimeAmount.zero))
    var workers: [Worker] { state.withLock { $0.workers } }
    var endCount: Int { state.withLock { $0.ends } }

    /// Sets the processor time of the running worker.
    func use(_ time: TimeAmount) { state.withLock { $0.used = time } }

    func launch(
        on eventLoop: any EventLoop, handler: @escaping @Sendable () -> any ChannelHandler & Sendable
    ) -> EventLoopFuture<any LiveWorkerConnection> {
        guard let loop = eventLoop as? EmbeddedEventLoop else { preconditionFailure("another event loop") }
        let channel = EmbeddedChannel(handler: handler(), loop: loop)
        do {
            channel.connect(to: try SocketAddress(unixDomainSocketPath: "/w"), promise: nil)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let worker = Worker(embedded: channel) { [self] in
            state.withLock { $0.ends += 1 }
        } used: { [self] in
            state.withLock { $0.used }
        }
        state.withLock { state in
            state.workers.append(worker)
            state.used = .zero
        }
        return eventLoop.makeSucceededFuture(worker)
    }
}
