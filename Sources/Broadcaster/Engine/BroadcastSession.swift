import Capture
import Codecs
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol

/// A broadcast: the capture, the backlog, and the current connection, as ``BroadcastStateMachine`` decides. Belongs to
/// its event loop.
final class BroadcastSession {
    /// The time in which a source must announce its formats; nothing else limits that wait.
    private static let configurationTimeout = Duration.seconds(15)
    private static let statusInterval = Duration.seconds(1)
    /// The time after connecting in which the backlog is not a sign of a slow uplink.
    private static let adaptationDelay = Duration.seconds(3)

    private let settings: BroadcastSettings
    private let eventLoop: any EventLoop
    private let events: AsyncStream<Broadcast.Event>.Continuation
    private let onEnd: (Result<BroadcastStatus, BroadcastError>) -> Void

    private let canonicalName = "antena-\(UInt32.random(in: 0...UInt32.max))"
    private let start = NIODeadline.now()
    private var machine: BroadcastStateMachine
    private var tick: Scheduled<Void>?
    private var retry: Scheduled<Void>?

    private var capture: BroadcastCapture?
    private var source = AnnouncedSource()
    private var backlog = UnitBacklog(hasVideo: true)
    private var connection: PushConnection?
    private var adaptation: BitRateAdaptation

    /// The counts of earlier connections.
    private var earlier = PushStatistics()
    private var sourceWatch = SourceWatch()
    private var paceWatch = PaceWatch()
    private var frameMeter = RateWindow()
    private var byteRate = RateWindow()
    /// The server's last answer about the received media; `nil` before the first one.
    var received: ReceivedMedia?

    init(
        _ settings: BroadcastSettings, eventLoop: any EventLoop, events: AsyncStream<Broadcast.Event>.Continuation,
        onEnd: @escaping (Result<BroadcastStatus, BroadcastError>) -> Void
    ) {
        self.settings = settings
        self.eventLoop = eventLoop
        self.events = events
        self.onEnd = onEnd
        machine = BroadcastStateMachine(waitsForServer: settings.waitsForServer)
        adaptation = BitRateAdaptation(presetBitRate: settings.encoding.videoBitRate)
        secondPassed()
        for text in settings.notices { notice(text) }
    }

    // MARK: The capture

    /// Takes the capture, and fails if its formats do not arrive in time.
    func opened(_ capture: BroadcastCapture) {
        self.capture = capture
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(Self.configurationTimeout)) { [weak self] in
            guard let self, machine.isOpening else { return }
            fail(BroadcastError(.source, "the source has not delivered video or audio that can be sent"))
        }
    }

    /// Handles outputs of the capture in order.
    func take(_ outputs: [BroadcastOutput]) {
        for output in outputs where !machine.hasEnded { take(output) }
        drain()
    }

    private func take(_ output: BroadcastOutput) {
        switch output {
        case .tracks(let tracks, let summary):
            source.announce(tracks, summary)
            backlog = UnitBacklog(hasVideo: tracks.contains(.video))
        case .configuration(let configuration, let timescale): take(configuration, timescale)
        case .unit(let mediaType, let unit): take(unit, of: mediaType)
        case .preview(let image): events.yield(.preview(image))
        case .notice(let text): notice(text)
        case .ended: stop()
        case .failed(let error): fail(BroadcastError(error))
        }
    }

    private func take(_ configuration: CodecConfiguration, _ timescale: Timescale) {
        guard let format = RTPPayloadFormat(configuration: configuration, foreignCodec: nil) else {
            return fail(BroadcastError(.codec, "\(configuration.name) cannot be sent by RTSP"))
        }
        if source.adopt(format, timescale, of: configuration.mediaType) {
            connection?.update(format)
        } else if machine.formatsChanged() == .connect {
            // The announced formats are no longer valid.
            return reconnect(because: "the source's format has changed")
        }
        if source.isComplete, machine.sourceAnnounced() == .connect { connect() }
    }

    private func take(_ unit: AccessUnit, of mediaType: MediaType) {
        guard let seconds = source.time(of: unit, mediaType) else { return }
        sourceWatch.received(mediaType, at: elapsedSeconds)
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
        var generator = SystemRandomNumberGenerator()
        let tracks = source.tracks(using: &generator)
        let made = PushConnection(
            settings.target, tracks: tracks, bitRate: settings.encoding.videoBitRate + settings.encoding.audioBitRate,
            startOfCapture: source.start ?? WallClock.system.now(), canonicalName: canonicalName, eventLoop: eventLoop
        ) { [weak self] in self?.handle($0) }
        connection = made
        made.connect()
    }

    private func handle(_ event: PushConnection.Event) {
        switch event {
        case .recording: recording()
        case .writable: drain()
        case .ended(let error, let isTemporary): disconnected(error, isTemporary: isTemporary)
        }
    }

    private func recording() {
        if machine.recording(now: .now()) {
            if adaptation.reconnected() { capture?.setVideoBitRate(adaptation.videoBitRate) }
            notice("reconnected")
        }
        backlog.dropUndecodable()
        drain()
    }

    private func disconnected(_ error: BroadcastError?, isTemporary: Bool) {
        takeOverCounts()
        connection = nil
        var generator = SystemRandomNumberGenerator()
        switch machine.disconnected(error, isTemporary: isTemporary, using: &generator) {
        case .none: break
        case .finish: finish(.success(status()))
        case .fail(let error): finish(.failure(error))
        case .retry(let delay, let isNews):
            if isNews, let problem = machine.problem { notice(problem) }
            backlog.keepNewestGroup()
            retry = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [weak self] in
                guard let self, machine.retryDue() == .connect else { return }
                connect()
            }
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
        if let statistics = connection?.statistics { earlier.add(statistics) }
    }

    // MARK: The end

    /// Ends the broadcast in an orderly way.
    func stop() {
        switch machine.stop() {
        case .none: break
        case .tearDown:
            // The backlog is sent as far as the connection accepts it at once.
            drain()
            connection?.tearDown()
        case .finish: finish(.success(status()))
        }
    }

    /// Ends the broadcast with an error.
    func fail(_ error: BroadcastError) {
        guard machine.fail() else { return }
        connection?.detach()
        takeOverCounts()
        connection = nil
        finish(.failure(error))
    }

    private func finish(_ result: Result<BroadcastStatus, BroadcastError>) {
        tick?.cancel()
        retry?.cancel()
        if case .success(let status) = result { events.yield(.status(status)) }
        onEnd(result)
    }

    // MARK: Status

    private func notice(_ text: String) { events.yield(.notice(text)) }

    private func secondPassed() {
        guard !machine.hasEnded else { return }
        tick = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(Self.statusInterval)) { [weak self] in
            self?.secondPassed()
        }
        adaptBitRate()
        for text in sourceWatch.secondPassed(at: elapsedSeconds) { notice(text) }
        if let text = capture.flatMap({ paceWatch.secondPassed($0.statistics, at: elapsedSeconds) }) { notice(text) }
        machine.secondPassed(now: .now())
        events.yield(.status(status()))
    }

    private func adaptBitRate() {
        let dropped = backlog.droppedFrameCount
        guard settings.adaptsBitRate, let connection, let liveSeconds, liveSeconds >= Self.adaptationDelay.seconds
        else {
            return adaptation.secondPassed(droppedCount: dropped)
        }
        let text = adaptation.secondPassed(
            wait: backlog.duration, loss: connection.takeLoss(), droppedCount: dropped)
        guard let text, let capture else { return }
        capture.setVideoBitRate(adaptation.videoBitRate)
        notice(text)
    }

    private var elapsedSeconds: Double { Double((NIODeadline.now() - start).nanoseconds) / 1e9 }

    private var liveSeconds: Double? {
        machine.liveSince.map { Double((NIODeadline.now() - $0).nanoseconds) / 1e9 }
    }

    private func status() -> BroadcastStatus {
        let elapsed = elapsedSeconds
        let statistics = connection?.statistics ?? PushStatistics()
        let frameCount = earlier.frameCount + statistics.frameCount
        let byteCount = earlier.byteCount + statistics.byteCount
        return BroadcastStatus(
            state: machine.state, problem: machine.problem, elapsed: elapsed, liveSeconds: liveSeconds,
            summary: source.summary,
            capture: capture?.statistics ?? BroadcastCaptureStatistics(), sentFrameCount: frameCount,
            droppedFrameCount: backlog.droppedFrameCount, sentByteCount: byteCount,
            connectionCount: machine.connectionCount, frameRate: frameMeter.rate(count: frameCount, at: elapsed),
            bitRate: byteRate.rate(count: byteCount, at: elapsed) * 8, videoBitRate: adaptation.videoBitRate,
            presetVideoBitRate: settings.encoding.videoBitRate,
            presetAudioBitRate: settings.encoding.audioBitRate, roundTrip: statistics.roundTrip,
            waitingSeconds: backlog.duration, lostPacketCount: earlier.lostPacketCount + statistics.lostPacketCount,
            received: machine.state == .live ? received : nil)
    }
}
