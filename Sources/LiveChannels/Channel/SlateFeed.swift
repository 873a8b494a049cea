import MediaCore
import NIOCore
import Packaging

/// Feeds a slate to its own publishing epoch in real time, loop after loop, until it is ended.
///
/// Confined to the epoch's event loop.
final class SlateFeed {
    private let slate: Slate
    private let epoch: PublishingEpoch
    private let channel: LiveChannel
    private let eventLoop: any EventLoop
    private var start = NIODeadline.now()
    /// Number of frames sent since the start.
    private var videoFrameCount: Int64 = 0
    private var silentFrameCount: Int64 = 0
    private var timer: Scheduled<Void>?
    private var hasEnded = false
    /// The time at which somebody was last known to watch.
    private var watchedAt: NIODeadline

    static let videoTrackID: UInt32 = 0
    static let audioTrackID: UInt32 = 1
    /// Time after which an unwatched slate ends, because it costs processor time for nothing. A player that reconnects
    /// is back within a minute.
    static let maximumUnwatchedTime = Duration.seconds(60)
    /// Limit on the delay that is caught up after the event loop stood still; media beyond it is left out.
    private static let maximumBacklog = Duration.seconds(2)

    init(_ slate: Slate, epoch: PublishingEpoch, channel: LiveChannel, eventLoop: any EventLoop) {
        self.slate = slate
        self.epoch = epoch
        self.channel = channel
        self.eventLoop = eventLoop
        watchedAt = eventLoop.now
    }

    static func tracks(of slate: Slate) -> [PublishedTrack] {
        let video = PublishedTrack(
            track: Track(id: videoTrackID, mediaType: .video, timescale: slate.timescale), configuration: slate.video)
        let audio = slate.silence.map {
            PublishedTrack(
                track: Track(id: audioTrackID, mediaType: .audio, timescale: $0.timescale), configuration: $0.audio)
        }
        return [video] + (audio.map { [$0] } ?? [])
    }

    /// Starts the feed.
    func begin() {
        eventLoop.preconditionInEventLoop()
        start = eventLoop.now
        epoch.start()
        sendDue()
    }

    /// Ends the slate; the next push is shown if one waits. Has no effect after the first call.
    func end(reason: String) {
        eventLoop.preconditionInEventLoop()
        guard !hasEnded else { return }
        hasEnded = true
        timer?.cancel()
        timer = nil
        epoch.end(reason: reason, isIntended: true)
    }

    // MARK: Time

    private func sendDue() {
        guard !hasEnded else { return }
        let now = eventLoop.now
        if let due = nextDue, now - due > TimeAmount(Self.maximumBacklog) { start = start + (now - due) }
        while !hasEnded, let due = nextDue, due <= now { sendNext() }
        guard !hasEnded, let due = nextDue else { return }
        // The event loop keeps the feed for as long as it runs, and `end` cancels it.
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.sendDue() }
    }

    private var nextDue: NIODeadline? {
        let frame = due(videoFrameTime(videoFrameCount), slate.timescale)
        guard let silence = slate.silence else { return frame }
        return min(frame, due(silentFrameCount * silence.duration, silence.timescale))
    }

    private func due(_ time: Int64, _ timescale: Timescale) -> NIODeadline {
        start + .microseconds(MediaTime(value: time, timescale: timescale).converted(to: .microseconds).value)
    }

    /// Decode time of a frame in ticks since the start: the loops form one timeline.
    private func videoFrameTime(_ index: Int64) -> Int64 {
        let count = Int64(slate.frames.count)
        return index / count * slate.duration + slate.frames[Int(index % count)].decodeTime
    }

    // MARK: Sending

    private func sendNext() {
        if let silence = slate.silence {
            let time = silentFrameCount * silence.duration
            if due(time, silence.timescale) < due(videoFrameTime(videoFrameCount), slate.timescale) {
                silentFrameCount += 1
                return epoch.append(
                    AccessUnit(
                        decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                        payload: .frame(silence.frame)), trackID: Self.audioTrackID)
            }
        }
        let frame = slate.frames[Int(videoFrameCount % Int64(slate.frames.count))]
        let time = videoFrameTime(videoFrameCount)
        videoFrameCount += 1
        if frame.isRandomAccessPoint { endWhereNobodyWatches() }
        guard !hasEnded else { return }
        epoch.append(
            AccessUnit(
                decodeTime: time,
                presentationTime: time.addingSaturating(frame.presentationTime - frame.decodeTime),
                isRandomAccessPoint: frame.isRandomAccessPoint, payload: frame.payload),
            trackID: Self.videoTrackID)
    }

    /// Ends the slate if nobody has watched for a while. Called at each key frame.
    private func endWhereNobodyWatches() {
        if channel.isWatched { watchedAt = eventLoop.now }
        if eventLoop.now - watchedAt >= TimeAmount(Self.maximumUnwatchedTime) {
            end(reason: "nobody watches the slate")
        }
    }
}
