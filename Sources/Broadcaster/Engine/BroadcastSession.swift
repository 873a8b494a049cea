import Capture
import Codecs
import Foundation
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol

/// The state of a broadcast: the capture, the backlog, and the current connection. Belongs to its event loop.
final class BroadcastSession {
    /// The time in which a source must announce its formats; nothing else limits that wait.
    private static let configurationTimeout = TimeAmount.seconds(15)
    private static let statusInterval = TimeAmount.seconds(1)
    /// Seconds after connecting in which the backlog is not a sign of a slow uplink.
    private static let secondsBeforeAdapting = 3.0

    private let settings: BroadcastSettings
    private let eventLoop: any EventLoop
    private let events: AsyncStream<Broadcast.Event>.Continuation
    private let onEnd: (Result<BroadcastStatus, BroadcastError>) -> Void

    private var capture: BroadcastCapture?
    private var expected: Set<MediaType> = []
    private var summary: BroadcastSummary?
    private var formats: [MediaType: (format: RTPPayloadFormat, timescale: Timescale)] = [:]
    private var backlog = UnitBacklog(hasPictures: true)
    private var connection: PushConnection?
    private var delay = ReconnectDelay()
    private var controller = BitRateController()
    private var state = BroadcastStatus.State.opening
    private var problem: String?
    private var hasBeenLive = false
    private var isStopping = false
    private var hasEnded = false

    private let start = NIODeadline.now()
    /// The time of the capture's time zero in nanoseconds since 1970; its first output follows it immediately.
    private var startOfCapture: Int64?
    private var liveSince: NIODeadline?
    /// The counts of earlier connections.
    private var sentPictureCount = 0
    private var sentByteCount = 0
    private var lostPacketCount = 0
    private var connectionCount = 0
    private var lastDroppedCount = 0
    private var sourceWatch = SourceWatch()
    private var paceWatch = PaceWatch()
    private var pictureRate = RateWindow()
    private var byteRate = RateWindow()
    private var tick: Scheduled<Void>?
    private var retry: Scheduled<Void>?
    private let canonicalName = "antena-\(UInt32.random(in: 0...UInt32.max))"
    /// The server's last answer about what it receives; `nil` before the first one.
    var received: ReceivedMedia?

    init(
        _ settings: BroadcastSettings, eventLoop: any EventLoop, events: AsyncStream<Broadcast.Event>.Continuation,
        onEnd: @escaping (Result<BroadcastStatus, BroadcastError>) -> Void
    ) {
        self.settings = settings
        self.eventLoop = eventLoop
        self.events = events
        self.onEnd = onEnd
        secondPassed()
        for text in settings.notices { notice(text) }
    }

    // MARK: The capture

    /// Takes the capture, and fails if its formats do not arrive in time.
    func opened(_ capture: BroadcastCapture) {
        self.capture = capture
        eventLoop.assumeIsolated().scheduleTask(in: Self.configurationTimeout) { [weak self] in
            guard let self, state == .opening else { return }
            fail(BroadcastError(.source, "the source has not delivered video or audio that can be sent"))
        }
    }

    /// Handles outputs of the capture in order.
    func take(_ outputs: [BroadcastOutput]) {
        for output in outputs where !hasEnded { take(output) }
        drain()
    }

    private func take(_ output: BroadcastOutput) {
        switch output {
        case .tracks(let tracks, let summary):
            expected = tracks
            self.summary = summary
            backlog = UnitBacklog(hasPictures: tracks.contains(.video))
        case .configuration(let configuration, let timescale): take(configuration, timescale)
        case .unit(let mediaType, let unit): take(unit, of: mediaType)
        case .preview(let picture): events.yield(.preview(picture))
        case .notice(let text): notice(text)
        case .ended: stop()
        case .failed(let error): fail(BroadcastError(error))
        }
    }

    private func take(_ configuration: CodecConfiguration, _ timescale: Timescale) {
        guard let format = RTPPayloadFormat(configuration: configuration, foreignCodec: nil) else {
            return fail(BroadcastError(.codec, "\(configuration.name) cannot be sent by RTSP"))
        }
        let previous = formats.updateValue((format, timescale), forKey: configuration.mediaType)
        if let previous, connection != nil {
            guard previous.format.isContinued(by: format), previous.timescale == timescale else {
                // The announced formats are no longer valid.
                return reconnect(because: "the source's format has changed")
            }
            connection?.update(format)
        }
        if state == .opening, Set(formats.keys) == expected { connect() }
    }

    private func take(_ unit: AccessUnit, of mediaType: MediaType) {
        guard let timescale = formats[mediaType]?.timescale else { return }
        let seconds = Double(unit.decodeTime) / Double(timescale.ticksPerSecond)
        sourceWatch.received(mediaType, at: elapsedSeconds)
        if startOfCapture == nil {
            startOfCapture = Int64((Date().timeIntervalSince1970 - max(0, seconds)) * 1e9)
        }
        backlog.append(UnitBacklog.Entry(mediaType: mediaType, unit: unit, time: seconds))
        if connection?.isRecording != true { backlog.keepNewestGroup() }
    }

    private func drain() {
        guard let connection, !backlog.isEmpty else { return }
        while connection.isWritable, let entry = backlog.popFirst() {
            connection.send(entry.unit, of: entry.mediaType)
        }
        connection.flush()
    }

    // MARK: The connection

    private func connect() {
        guard !isStopping, !hasEnded else { return }
        state = .connecting
        var generator = SystemRandomNumberGenerator()
        let kinds: [MediaType] = [.video, .audio].filter { expected.contains($0) }
        let tracks = kinds.enumerated().compactMap { index, kind in
            formats[kind].map { PushTrack($0.format, index: index, timescale: $0.timescale, using: &generator) }
        }
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        let made = PushConnection(
            settings.target, tracks: tracks, bitRate: settings.encoding.videoBitRate + settings.encoding.audioBitRate,
            startOfCapture: startOfCapture ?? now, canonicalName: canonicalName, eventLoop: eventLoop
        ) { [weak self] in self?.handle($0) }
        connection = made
        made.connect()
    }

    private func handle(_ event: PushConnection.Event) {
        switch event {
        case .recording(let session): recording(session)
        case .writable: drain()
        case .ended(let error, let isTemporary): ended(error, isTemporary: isTemporary)
        }
    }

    private func recording(_ session: RTSPPublishingStateMachine.Session) {
        if hasBeenLive {
            if controller.reconnected() { capture?.setVideoBitRate(videoBitRate) }
            notice("reconnected")
        }
        hasBeenLive = true
        connectionCount += 1
        state = .live
        problem = nil
        liveSince = .now()
        backlog.dropUndecodable()
        drain()
    }

    private func ended(_ error: BroadcastError?, isTemporary: Bool) {
        takeOverCounts()
        connection = nil
        liveSince = nil
        guard !isStopping else { return finish(.success(status(.ended))) }
        let error = error ?? BroadcastError(.connectionLost, "the server has ended the session")
        // Errors that a user must fix first are reported at once; a connection that has worked before is worth waiting
        // for.
        guard hasBeenLive || settings.waitsForServer && isTemporary else { return finish(.failure(error)) }
        waitForRetry(because: error.reason)
    }

    private func waitForRetry(because reason: String) {
        var generator = SystemRandomNumberGenerator()
        let milliseconds = delay.next(using: &generator)
        state = .waiting
        if problem != reason { notice(reason) }
        problem = reason
        backlog.keepNewestGroup()
        retry = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) { [weak self] in
            self?.connect()
        }
    }

    private func reconnect(because reason: String) {
        notice(reason)
        takeOverCounts()
        let old = connection
        connection = nil
        old?.detach()
        connect()
    }

    private func takeOverCounts() {
        guard let statistics = connection?.statistics else { return }
        sentPictureCount += statistics.pictureCount
        sentByteCount += statistics.byteCount
        lostPacketCount += statistics.lostPacketCount
    }

    // MARK: The end

    /// Ends the broadcast in an orderly way.
    func stop() {
        guard !isStopping, !hasEnded else { return }
        isStopping = true
        retry?.cancel()
        if let connection {
            // The backlog is sent as far as the connection accepts it at once.
            drain()
            connection.tearDown()
        } else {
            finish(.success(status(.ended)))
        }
    }

    /// Ends the broadcast with an error.
    func fail(_ error: BroadcastError) {
        guard !hasEnded else { return }
        connection?.detach()
        takeOverCounts()
        connection = nil
        finish(.failure(error))
    }

    private func finish(_ result: Result<BroadcastStatus, BroadcastError>) {
        guard !hasEnded else { return }
        hasEnded = true
        tick?.cancel()
        retry?.cancel()
        if case .success(let status) = result { events.yield(.status(status)) }
        onEnd(result)
    }

    // MARK: Status

    private func notice(_ text: String) { events.yield(.notice(text)) }

    private func secondPassed() {
        guard !hasEnded else { return }
        tick = eventLoop.assumeIsolated().scheduleTask(in: Self.statusInterval) { [weak self] in self?.secondPassed() }
        adaptBitRate()
        for text in sourceWatch.secondPassed(at: elapsedSeconds) { notice(text) }
        if let text = capture.flatMap({ paceWatch.secondPassed($0.statistics, at: elapsedSeconds) }) { notice(text) }
        if let liveSince, NIODeadline.now() - liveSince > .seconds(10) { delay.reset() }
        events.yield(.status(status(state)))
    }

    private func adaptBitRate() {
        let dropped = backlog.droppedPictureCount
        defer { lastDroppedCount = dropped }
        guard settings.adaptsBitRate, state == .live, let connection, let liveSince,
            Double((NIODeadline.now() - liveSince).nanoseconds) / 1e9 >= Self.secondsBeforeAdapting
        else { return }
        let before = controller.level
        let hasChanged = controller.secondPassed(
            wait: backlog.duration, loss: connection.takeLoss(), hasDropped: dropped > lastDroppedCount)
        guard hasChanged, let capture else { return }
        capture.setVideoBitRate(videoBitRate)
        let rate = "\(videoBitRate / 1_000) kbit/s"
        notice(
            controller.level == 0
                ? "the uplink carries the preset again: \(rate)"
                : controller.level < before
                    ? "the uplink carries more again: now \(rate)"
                    : "the uplink does not carry \(settings.encoding.videoBitRate / 1_000) kbit/s: now \(rate)")
    }

    private var elapsedSeconds: Double { Double((NIODeadline.now() - start).nanoseconds) / 1e9 }

    private var videoBitRate: Int { Int(Double(settings.encoding.videoBitRate) * controller.share) }

    private func status(_ state: BroadcastStatus.State) -> BroadcastStatus {
        let now = NIODeadline.now()
        let elapsed = elapsedSeconds
        let statistics = connection?.statistics ?? PushStatistics()
        let pictureCount = sentPictureCount + statistics.pictureCount
        let byteCount = sentByteCount + statistics.byteCount
        return BroadcastStatus(
            state: state, problem: problem, elapsed: elapsed,
            liveSeconds: liveSince.map { Double((now - $0).nanoseconds) / 1e9 }, summary: summary,
            capture: capture?.statistics ?? BroadcastCaptureStatistics(), sentPictureCount: pictureCount,
            droppedPictureCount: backlog.droppedPictureCount, sentByteCount: byteCount,
            connectionCount: connectionCount, frameRate: pictureRate.rate(count: pictureCount, at: elapsed),
            bitRate: byteRate.rate(count: byteCount, at: elapsed) * 8, videoBitRate: videoBitRate,
            presetVideoBitRate: settings.encoding.videoBitRate,
            presetAudioBitRate: settings.encoding.audioBitRate, roundTrip: statistics.roundTrip,
            waitingSeconds: backlog.duration, lostPacketCount: lostPacketCount + statistics.lostPacketCount,
            received: state == .live ? received : nil)
    }
}
