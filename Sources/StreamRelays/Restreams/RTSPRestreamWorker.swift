import Broadcaster
import ChannelPublishing
import LiveChannels
import MediaCore
import NIOCore

/// One connection of ``RTSPRestream``. Confined to its event loop; it lives until its end.
final class RTSPRestreamWorker: LiveFanOutReceiver {
    private static let interval = TimeAmount.seconds(1)

    private let fanOut: LiveFanOut
    private let target: PushTarget
    private let progress: RelayProgress
    private let eventLoop: any EventLoop
    private let ended: EventLoopPromise<Void>
    private var copy: StreamCopy?
    private var subscription: Int?
    /// The kind of each track, by position; `nil` for one that is left out.
    private var mediaTypes: [MediaType?] = []
    private var tracks: [LiveReaderTrack] = []
    /// Units since the last key frame, until the server takes media.
    private var waiting: [LiveUnit] = []
    private var checks: RepeatedTask?

    init(
        _ channel: LiveChannel, _ target: PushTarget, _ progress: RelayProgress, on eventLoop: any EventLoop,
        ended: EventLoopPromise<Void>
    ) {
        (fanOut, self.target, self.progress) = (channel.restreamed, target, progress)
        (self.eventLoop, self.ended) = (eventLoop, ended)
    }

    func begin() {
        let new = fanOut.subscribe(self, on: eventLoop)
        subscription = new.identifier
        tracks = new.broadcast?.tracks ?? []
        var seen: Set<MediaType> = []
        mediaTypes = tracks.map { track in
            let isFirst = seen.insert(track.track.mediaType).inserted
            return isFirst && StreamCopy.carries(.init(track)) ? track.track.mediaType : nil
        }
        guard mediaTypes.contains(where: { $0 != nil }) else {
            return end("the channel has nothing that can be sent by RTSP")
        }
        waiting = new.units
        let copied = zip(tracks, mediaTypes).compactMap { $1 == nil ? nil : StreamCopy.CopiedTrack($0) }
        // Kept by both closures until the end.
        let worker = NIOLoopBound(self, eventLoop: eventLoop)
        copy = StreamCopy(to: target, tracks: copied, on: eventLoop) {
            worker.value.started()
        } onEnd: { reason in
            worker.value.end(reason)
        }
        copy?.connect()
        checks = eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            worker.value.note()
        }
        ended.futureResult.whenComplete { _ in worker.value.end("stopped") }
    }

    private func started() {
        progress.started()
        for unit in waiting { send(unit) }
        waiting = []
    }

    func receive(_ event: LiveFanOutEvent, subscription: Int) {
        guard subscription == self.subscription else { return }
        switch event {
        case .configured(let configuration, let index):
            guard tracks.indices.contains(index), mediaTypes[index] != nil else { return }
            tracks[index].configuration = configuration
            copy?.update(.init(tracks[index]))
        case .unit(let unit): send(unit)
        case .began, .ended: end("the channel is off the air")
        }
    }

    private func send(_ live: LiveUnit) {
        guard mediaTypes.indices.contains(live.trackIndex), let mediaType = mediaTypes[live.trackIndex] else { return }
        copy?.send(live.unit, of: mediaType)
    }

    private func note() {
        guard let copy else { return }
        progress.set(byteCount: copy.sentByteCount)
        progress.set(droppedUnitCount: copy.droppedCount)
    }

    /// Ends the copy. Has no effect after the first call.
    private func end(_ reason: String) {
        guard let subscription else { return }
        self.subscription = nil
        fanOut.unsubscribe(subscription)
        checks?.cancel()
        note()
        copy?.end()
        (copy, checks, waiting) = (nil, nil, [])
        ended.fail(RelayFailure(reason))
    }
}

extension StreamCopy.CopiedTrack {
    fileprivate init(_ track: LiveReaderTrack) {
        self.init(
            configuration: track.configuration, foreignCodec: track.foreignCodec, timescale: track.track.timescale)
    }
}
