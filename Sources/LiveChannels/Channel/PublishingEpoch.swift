package import Codecs
import Logging
package import LogMetadata
package import MediaCore
import NIOCore
import Packaging

/// One push to a channel, from its first unit to its end. The publisher's connection feeds it.
///
/// Confined to the publisher's event loop. Nothing here throws: errors in single units are absorbed, counted and shown
/// in the channel's status.
package final class PublishingEpoch {
    let channel: LiveChannel
    let identifier: String
    /// How often packaging has begun: once, and again when a track has come late.
    var packagingCount = 0
    let eventLoop: any EventLoop
    private let onKick: @Sendable (String) -> Void
    /// Called on the event loop when somebody has begun to need packets as they arrive.
    package var onHurry: (() -> Void)?
    let preset: QualityPreset?
    var inputs: [PublishedInput]
    var phase = Phase.waiting
    /// The rendition that decides where segments end.
    var leadingRendition = RenditionID.video
    var programClock: ProgramClock
    /// The services of closed captions in the frames so far.
    var captions: ClosedCaptions = []
    private var receivedByteCount = 0
    private var reportedByteCount = 0
    private(set) var receivedPacketCount = 0
    private(set) var lostPacketCount = 0
    /// The packets that the last sample for the quality has counted.
    var sampledPacketCount = 0
    var sampledLossCount = 0
    private var sampledAt: WallClockTime?
    var partRhythm = PartRhythm()
    /// The lower qualities that are made of the push; `nil` without any.
    var ladder: EpochLadder?
    var ladderBeganAt: WallClockTime?
    /// The push with the scoreboard in the picture, if it is sent to other services.
    var drawn: DrawnBroadcast?
    /// `nil` if the channel does not enforce the preset, and after it was enforced.
    private var enforcement: PresetEnforcement?

    enum Phase {
        /// Another push is shown; this one's units are dropped.
        case waiting
        /// The epoch waits for every declared track's parameters and first unit. Units are kept meanwhile.
        case gathering
        case packaging(LivePackager)
        case ended

        /// Runs a closure on the packager, if there is one.
        ///
        /// The packager is taken out of the enum meanwhile: if the enum still held it, every change would copy its
        /// arrays.
        mutating func withPackager<Result>(_ body: (inout LivePackager) -> Result) -> Result? {
            guard case .packaging(var packager) = self else { return nil }
            self = .gathering
            defer { self = .packaging(packager) }
            return body(&packager)
        }
    }

    /// The time after which the push is shown without a declared track that cannot be shown yet.
    static let maximumGatheringTime = Duration.seconds(2)
    /// Limit on the units kept while gathering: more than 2 s of video at 60 frames per second with audio. Beyond it
    /// the oldest are dropped.
    static let maximumGatheredUnitCount = 512

    /// Limit on the bytes of these units: 2 s at over 100 Mbit/s.
    static let maximumGatheredByteCount = 32 << 20

    var gathered: [GatheredUnit] = []
    var gatheredByteCount = 0
    var firstUnitAt: WallClockTime?

    struct GatheredUnit {
        var unit: AccessUnit
        /// The track's position in the announcement.
        var index: Int
        /// The time of arrival: program dates are dates of arrival, not of the end of the gathering.
        var arrivedAt: WallClockTime
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
        programClock = ProgramClock(captureDelay: channel.configuration.captureDelay)
        inputs = PublishedInput.inputs(
            for: tracks, convertsOpus: channel.transcoders != nil && !channel.configuration.keepsOpus)
        enforcement = channel.configuration.publishing.enforcesPreset ? PresetEnforcement() : nil
    }

    /// True if another push is shown; this one follows when that has ended.
    package var isWaiting: Bool { if case .waiting = phase { true } else { false } }

    /// Begins to show this push, because its turn has come.
    func start() {
        eventLoop.preconditionInEventLoop()
        guard isWaiting else { return }
        publishStatistics()
        phase = .gathering
        channel.fanOut.begin(tracks: inputs.filter(\.isSent).map(\.readerTrack), on: eventLoop)
        for input in inputs where !input.isUsed {
            reportError("a second \(input.track.mediaType.rawValue) track is not shown")
        }
        let delay = programClock.captureDelay.seconds
        if delay > 0 {
            channel.withState { $0.presence.update(identifier) { $0.publisher.captureDelay = delay } }
        }
        startTranscoders()
    }

    // MARK: What the publisher sends

    /// Takes a unit from the publisher.
    ///
    /// - Parameters:
    ///   - unit: the unit.
    ///   - trackID: the announced track ID; units of other tracks are ignored.
    package func append(_ unit: AccessUnit, trackID: UInt32) {
        eventLoop.preconditionInEventLoop()
        guard let index = inputs.firstIndex(where: { $0.track.id == trackID }) else { return }
        let now = channel.clock.now()
        if inputs[index].meter.add(byteCount: unit.payload.byteCount, now: now) { measure(now: now) }
        switch phase {
        case .waiting, .ended: return
        case .gathering, .packaging: break
        }
        let unit = inTime(unit, index: index, now: now)
        measureArrival(of: unit, index: index, now: now)
        channel.fanOut.publish(unit, trackIndex: index)
        drawn?.take(unit, trackIndex: index)
        guard inputs[index].isUsed else { return }
        if inputs[index].foreignCodec == nil {
            take(unit, index: index, now: now)
        } else {
            transcode(unit, index: index)
        }
        if let untouched = inputs[index].untouchedIndex { take(unit, index: untouched, now: now) }
    }

    /// The unit with times that advance with time, whatever the publisher's clock does.
    private func inTime(_ unit: AccessUnit, index: Int, now: WallClockTime) -> AccessUnit {
        let timescale = inputs[index].sentTimescale
        let time = MediaTime(value: unit.decodeTime, timescale: timescale)
        let scaled = inputs[index].scaling?.scale(unit) ?? unit
        guard let verdict = inputs[index].clockRate.note(time, arrivedAt: now),
            abs(verdict.rate * (inputs[index].scaling?.factor ?? 1) - 1) > ClockRateWatch.tolerance * 2
        else { return scaled }
        // Of times that have been scaled before, nobody knows any more by how much they are ahead.
        let lead = inputs[index].scaling == nil ? verdict.lead * Double(timescale.ticksPerSecond) : 0
        inputs[index].scaling = TimestampScaling(
            rate: verdict.rate, lead: verdict.rate == 1 ? 0 : lead, after: unit, decodeTime: scaled.decodeTime)
        let rate = (verdict.rate * 100).rounded() / 100
        reportError(
            verdict.rate == 1
                ? "the timestamps of the \(inputs[index].track.mediaType.rawValue) track advance with time again"
                : "the timestamps of the \(inputs[index].track.mediaType.rawValue) track advance \(rate) s in a second; "
                    + "they are corrected, but the encoder's clock rate should be set right")
        return scaled
    }

    /// Foretells when the next parts can be finished. Called after all units that arrived together have been appended.
    package func unitsArrived() {
        var hasPackaged = false
        let now = eventLoop.now
        for index in inputs.indices {
            guard let time = inputs[index].arrivedUnitTime else { continue }
            inputs[index].arrivedUnitTime = nil
            hasPackaged = true
            // Others are cut where the main rendition of their media type is.
            guard inputs[index].rendition.isMain else { continue }
            partRhythm.arrived(inputs[index].track.mediaType, until: time, now: now) {
                channel.promptness[$0].promptTime(now: now) != nil
            }
        }
        guard hasPackaged else { return }
        for mediaType in MediaType.allCases {
            channel.promptness[mediaType].rest(until: partRhythm.quietEnd(mediaType))
        }
    }

    /// Takes parameters that came in band. They are compared by content: a repetition changes nothing, a real change
    /// starts a discontinuity with a new initialization section.
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

    /// Takes a sender report (RFC 3550 §6.4.1), which says what the publisher's own clock showed at a given media time.
    ///
    /// - Parameters:
    ///   - nanosecondsSince1970: the publisher's clock.
    ///   - mediaTime: the media time on the timeline of the units.
    ///   - trackID: the announced track ID.
    ///   - age: the time since the report has arrived.
    ///   - roundTrip: the round trip of the publisher's connection; `nil` if that is not known.
    package func setWallClock(
        nanosecondsSince1970: Int64, mediaTime: MediaTime, trackID: UInt32, age: Duration = .zero,
        roundTrip: Duration? = nil
    ) {
        guard isDated(trackID) else { return }
        let offset = programClock.report(
            nanosecondsSince1970: nanosecondsSince1970, mediaTime: mediaTime, now: channel.clock.now() - age,
            roundTrip: roundTrip)
        channel.withState { state in
            state.presence.update(identifier) { $0.publisher.clockOffset = offset.seconds }
        }
    }

    /// Takes the time at which a publisher has captured something, on the server's clock.
    ///
    /// - Parameters:
    ///   - date: the time of the capture, which the publisher may have wrong.
    ///   - mediaTime: the media time on the timeline of the units.
    ///   - trackID: the announced track ID.
    package func setCaptureTime(_ date: WallClockTime, mediaTime: MediaTime, trackID: UInt32) {
        if isDated(trackID) { programClock.captured(mediaTime, at: date) }
    }

    /// Whether the times of a track are those that viewers see.
    private func isDated(_ trackID: UInt32) -> Bool {
        eventLoop.preconditionInEventLoop()
        if case .ended = phase { return false }
        return inputs.first { $0.track.id == trackID }.map { $0.scaling == nil } ?? false
    }

    /// Notes the quality of the line, which the publisher's protocol has measured.
    package func note(_ quality: LinkQuality) {
        eventLoop.preconditionInEventLoop()
        channel.withState { state in
            state.presence.update(identifier) { $0.publisher.link = quality }
        }
    }

    /// Counts the received bytes. Called for every RTP packet.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes of the packets.
    ///   - packetCount: the number of packets.
    ///   - trackID: the announced track ID.
    package func countReceived(byteCount: Int, packetCount: Int, trackID: UInt32) {
        receivedByteCount += byteCount
        receivedPacketCount += packetCount
        guard let index = inputs.firstIndex(where: { $0.track.id == trackID }) else { return }
        inputs[index].receivedPacketCount += packetCount
    }

    /// Adds lost packets to the channel's statistics; packets of a waiting push are not counted.
    package func countLost(packetCount: Int) {
        guard packetCount > 0, !isWaiting else { return }
        lostPacketCount += packetCount
        channel.withState { $0.packetsLost += packetCount }
    }

    /// Reports an error in the log and in the channel's status. The errors of a waiting push appear only in the log,
    /// because viewers see nothing of it.
    ///
    /// - Parameters:
    ///   - text: human-readable, for operators.
    ///   - metadata: further values for the log, which find the culprit.
    package func reportError(_ text: String, metadata: LogValues = [:]) {
        var values = metadata
        values[.error] = "\(text)"
        channel.logger.warning(
            isWaiting ? "queued push reported an error" : "push reported an error", metadata: values)
        guard !isWaiting else { return }
        let now = channel.clock.now()
        channel.withState { $0.errors.add(text, at: now) }
    }

    /// Ends the push, or removes it from the queue. Has no effect after the first call.
    ///
    /// - Parameters:
    ///   - reason: human-readable.
    ///   - isIntended: whether the publisher ended the push (TEARDOWN) rather than vanished.
    package func end(reason: String, isIntended: Bool = false) {
        if case .ended = phase { return }
        eventLoop.preconditionInEventLoop()
        publishStatistics()
        stopTranscoders()
        stopLadder()
        if case .gathering = phase { startPackaging(now: channel.clock.now()) }
        // The last segments may need an initialization section that is not registered yet.
        if let events = phase.withPackager({ $0.finish() }) { publish(events) }
        if !isWaiting { channel.fanOut.end() }
        phase = .ended
        gathered = []
        gatheredByteCount = 0
        // Nothing may follow this call: the next push may be running on another loop by then.
        channel.epochEnded(
            identifier: identifier, packaging: packagingIdentifier, reason: reason, isIntended: isIntended,
            on: eventLoop)
    }

    // MARK: Measuring

    /// Updates the statistics and enforces the preset. Called about once a second per track.
    private func measure(now: WallClockTime) {
        let comparison = publishStatistics()
        // Each track comes here once a second.
        if !isWaiting, sampledAt.map({ now < $0 || now - $0 >= RateMeter.intervalDuration }) ?? true {
            sampledAt = now
            channel.note(takeQualitySample(comparison), identifier: identifier, now: now)
            measureLadder(now: now)
        }
        guard !isWaiting, let preset, let comparison,
            let reason = enforcement?.check(comparison, preset: preset.name, now: now)
        else { return }
        enforcement = nil
        reportError(reason)
        onKick(reason)
    }

    /// Publishes the statistics.
    ///
    /// - Returns: how the push keeps its preset; `nil` if it is not shown or has none.
    @discardableResult
    private func publishStatistics() -> PresetComparison? {
        let received = receivedByteCount - reportedByteCount
        reportedByteCount = receivedByteCount
        let meters = inputs.filter(\.isSent).map(\.meter)
        let now = channel.clock.now()
        return channel.withState { state in
            if isWaiting { state.bytesDiscarded += received } else { state.bytesIn += received }
            state.presence.update(identifier) { $0.meters = meters }
            guard let epoch = state.epoch, epoch.identifier == identifier else { return nil }
            return channel.comparison(of: epoch, now: now)
        }
    }
}
