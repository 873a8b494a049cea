package import Codecs
import Logging
package import MediaCore
import NIOCore
import Packaging

/// One push to a channel, from its first unit to its end: what the publisher's connection feeds.
///
/// Confined to the publisher's event loop. Nothing here throws: whatever is wrong with single units is absorbed,
/// counted and shown in the channel's status.
package final class PublishingEpoch {
    let channel: LiveChannel
    let identifier: String
    let eventLoop: any EventLoop
    private let onKick: @Sendable (String) -> Void
    let preset: QualityPreset?
    var inputs: [PublishedInput]
    var phase = Phase.waiting
    /// Decides where segments end.
    var leadingMediaType = MediaType.video
    var programClock = ProgramClock()
    private var receivedByteCount = 0
    private var reportedByteCount = 0
    /// `nil` where the channel does not want it, and when it has struck.
    private var enforcement: PresetEnforcement?

    enum Phase {
        /// Another push is shown; this one's units are dropped.
        case waiting
        /// Waiting for every declared track's parameters and first unit. Units are kept meanwhile.
        case gathering
        case packaging(LivePackager)
        case ended

        /// Works on the packager, if there is one.
        ///
        /// It is taken out of the enum meanwhile: while the enum had it, too, every change would copy its arrays.
        mutating func withPackager<Result>(_ body: (inout LivePackager) -> Result) -> Result? {
            guard case .packaging(var packager) = self else { return nil }
            self = .gathering
            defer { self = .packaging(packager) }
            return body(&packager)
        }
    }

    /// A declared track that has not sent anything by then is left out of this epoch.
    static let maximumGatheringMilliseconds: Int64 = 2_000
    /// Units kept while gathering: over 2 s of 60 frames/s video with audio. The oldest are dropped beyond.
    static let maximumGatheredUnitCount = 512

    /// And their bytes, should they be large: 2 s of over 100 Mbit/s.
    static let maximumGatheredByteCount = 32 << 20

    var gathered: [GatheredUnit] = []
    var gatheredByteCount = 0
    var firstUnitAt: Int64?

    struct GatheredUnit {
        var unit: AccessUnit
        /// The track's position in the announcement.
        var index: Int
        /// Milliseconds since 1970: program dates are those of arrival, not of the end of the gathering.
        var arrivedAt: Int64
    }

    init(
        channel: LiveChannel, identifier: String, tracks: [PublishedTrack], eventLoop: any EventLoop,
        preset: QualityPreset?, onKick: @escaping @Sendable (String) -> Void
    ) {
        self.channel = channel
        self.identifier = identifier
        self.eventLoop = eventLoop
        self.preset = preset
        self.onKick = onKick
        inputs = PublishedInput.inputs(for: tracks)
        enforcement = channel.configuration.publishing.enforcesPreset ? PresetEnforcement() : nil
    }

    /// Another push is shown, and this one when it has ended.
    package var isWaiting: Bool { if case .waiting = phase { true } else { false } }

    /// It is this push's turn.
    func start() {
        eventLoop.preconditionInEventLoop()
        guard isWaiting else { return }
        publishStatistics()
        phase = .gathering
        channel.fanOut.begin(tracks: inputs.map(\.readerTrack), on: eventLoop)
        for input in inputs where !input.isUsed {
            reportError("a second \(input.track.mediaType.rawValue) track is not shown")
        }
        startTranscoders()
    }

    // MARK: What the publisher brings

    /// - Parameter trackID: as announced; units of any other are ignored.
    package func append(_ unit: AccessUnit, trackID: UInt32) {
        eventLoop.preconditionInEventLoop()
        guard let index = inputs.firstIndex(where: { $0.track.id == trackID }) else { return }
        let now = channel.clock.now()
        if inputs[index].meter.add(byteCount: unit.payload.byteCount, now: now) { measure(now: now) }
        switch phase {
        case .waiting, .ended: return
        case .gathering, .packaging: break
        }
        channel.fanOut.publish(unit, trackIndex: index)
        guard inputs[index].isUsed else { return }
        if inputs[index].foreignCodec == nil {
            take(unit, index: index, now: now)
        } else {
            transcode(unit, index: index)
        }
    }

    /// Parameters that came in band. Compared by content: a repetition changes nothing, a real change starts a
    /// discontinuity with a new initialization section.
    package func updateConfiguration(_ configuration: CodecConfiguration, trackID: UInt32) {
        eventLoop.preconditionInEventLoop()
        guard let index = inputs.firstIndex(where: { $0.track.id == trackID }),
            inputs[index].foreignCodec == nil, inputs[index].configuration != configuration
        else { return }
        switch phase {
        case .ended: return
        case .waiting: break
        case .gathering, .packaging: channel.fanOut.updateConfiguration(configuration, trackIndex: index)
        }
        setConfiguration(configuration, index: index)
    }

    /// A sender report (RFC 3550 §6.4.1): what the publisher's own clock showed at a moment of its media.
    ///
    /// - Parameter mediaTime: on the line of the units' times.
    package func setWallClock(nanosecondsSince1970: Int64, mediaTime: MediaTime, trackID: UInt32) {
        eventLoop.preconditionInEventLoop()
        guard inputs.contains(where: { $0.track.id == trackID }) else { return }
        if case .ended = phase { return }
        let offset = programClock.report(
            nanosecondsSince1970: nanosecondsSince1970, mediaTime: mediaTime, now: channel.clock.now())
        channel.withState { state in
            state.updateEpoch(identifier) { $0.publisher.clockOffset = Double(offset) / 1_000 }
        }
    }

    /// Every RTP packet, for the statistics.
    package func countReceived(byteCount: Int, packetCount: Int) { receivedByteCount += byteCount }

    package func countLost(packetCount: Int) {
        guard packetCount > 0, !isWaiting else { return }
        channel.withState { $0.packetsLost += packetCount }
    }

    /// Shown in the channel's status; while the push waits in the log only, because viewers see nothing of it.
    package func reportError(_ text: String) {
        channel.logger.warning("\(isWaiting ? "waiting push" : "push"): \(text)")
        guard !isWaiting else { return }
        let now = channel.clock.now()
        channel.withState { $0.errors.add(text, at: now) }
    }

    /// The push is over, or its publisher no longer waits. Calling it again changes nothing.
    ///
    /// - Parameters:
    ///   - reason: for people.
    ///   - isIntended: the publisher said so (TEARDOWN), rather than vanished.
    package func end(reason: String, isIntended: Bool = false) {
        if case .ended = phase { return }
        eventLoop.preconditionInEventLoop()
        publishStatistics()
        stopTranscoders()
        if case .gathering = phase { startPackaging(now: channel.clock.now()) }
        // The last segments may need an initialization section that is not registered yet.
        if let events = phase.withPackager({ $0.finish() }) { publish(events) }
        if !isWaiting { channel.fanOut.end() }
        phase = .ended
        gathered = []
        gatheredByteCount = 0
        // Nothing after it: the next push may be running on another loop by then.
        channel.epochEnded(identifier: identifier, reason: reason, isIntended: isIntended, on: eventLoop)
    }

    // MARK: Measuring

    /// About once a second and track.
    private func measure(now: Int64) {
        let comparison = publishStatistics()
        guard !isWaiting, let preset, let comparison,
            let reason = enforcement?.check(comparison, preset: preset.name, now: now)
        else { return }
        enforcement = nil
        reportError(reason)
        onKick(reason)
    }

    /// - Returns: how the push keeps its preset.
    @discardableResult
    private func publishStatistics() -> PresetComparison? {
        let received = receivedByteCount - reportedByteCount
        reportedByteCount = receivedByteCount
        let meters = inputs.map(\.meter)
        let now = channel.clock.now()
        return channel.withState { state in
            if isWaiting { state.bytesDiscarded += received } else { state.bytesIn += received }
            state.updateEpoch(identifier) { $0.meters = meters }
            guard let epoch = state.epoch, epoch.identifier == identifier else { return nil }
            return channel.comparison(of: epoch, now: now)
        }
    }
}
