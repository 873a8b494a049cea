import ChannelPublishing
import LibSRT
import LiveChannels
import NIOCore

/// The media of one connection of ``SRTRelay``. Confined to its event loop.
final class SRTRelayWorker {
    private enum Use {
        case fetching(TransportStreamPush)
        case copying(TransportStreamReader)
        case over
    }

    /// Interval in which the line is measured, and the connection looked at.
    private static let interval = TimeAmount.seconds(1)
    /// Time without media after which a stream that is fetched counts as gone.
    private static let silence = TimeAmount.seconds(20)

    private let connection: SRTConnection
    private let channel: LiveChannel
    private let address: RelayAddress
    private let progress: RelayProgress
    private let isSource: Bool
    private let eventLoop: any EventLoop
    private let ended: EventLoopPromise<Void>
    private var use = Use.over
    private var checks: RepeatedTask?
    private var heardAt: NIODeadline

    init(
        _ connection: SRTConnection, _ channel: LiveChannel, _ address: RelayAddress, _ progress: RelayProgress,
        isSource: Bool, on eventLoop: any EventLoop, ended: EventLoopPromise<Void>
    ) {
        (self.connection, self.channel, self.address) = (connection, channel, address)
        (self.progress, self.isSource, self.eventLoop, self.ended) = (progress, isSource, eventLoop, ended)
        heardAt = eventLoop.now
    }

    func begin() {
        let worker = NIOLoopBound(self, eventLoop: eventLoop)
        let loop = eventLoop
        if isSource {
            let publisher = Publisher(
                remoteAddress: address.endpoint, userAgent: nil, transport: "SRT", presetName: nil)
            let push = GatheredPush(
                to: channel, by: publisher, on: eventLoop,
                onKick: { reason in loop.execute { worker.value.end(reason, isIntended: true) } })
            use = .fetching(TransportStreamPush(push, on: eventLoop))
        } else {
            let connection = connection
            let reader = TransportStreamReader(channel.restreamed, on: eventLoop) { connection.send($0) }
            reader.onEnd = { [weak self] in self?.end("the channel is off the air", isIntended: true) }
            use = .copying(reader)
            progress.started()
            reader.begin()
        }
        checks = eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            worker.value.check()
        }
        // The relay may have been stopped meanwhile.
        ended.futureResult.whenComplete { _ in worker.value.end("stopped", isIntended: true) }
    }

    func receive(_ bytes: ByteBuffer) {
        connection.taken(byteCount: bytes.readableBytes)
        guard case .fetching(let push) = use else { return }
        heardAt = eventLoop.now
        progress.add(byteCount: bytes.readableBytes)
        do {
            try push.receive(bytes)
        } catch {
            return end((error as? PushRefusal)?.reason ?? "\(error)")
        }
        if push.hasBegun { progress.started() }
    }

    private func check() {
        switch use {
        case .fetching(let push):
            push.note(LinkQuality(connection.statistics))
            if eventLoop.now - heardAt > Self.silence { end("nothing has come for too long") }
        case .copying(let reader):
            progress.set(droppedUnitCount: reader.droppedCount)
            progress.set(byteCount: reader.sentByteCount)
        case .over: break
        }
    }

    /// Ends the connection. Has no effect after the first call.
    func end(_ reason: String, isIntended: Bool = false) {
        let former = use
        use = .over
        checks?.cancel()
        checks = nil
        switch former {
        case .fetching(let push): push.end(reason: reason, isIntended: isIntended)
        case .copying(let reader): reader.end()
        case .over: return
        }
        connection.close()
        ended.fail(RelayFailure(reason))
    }
}
