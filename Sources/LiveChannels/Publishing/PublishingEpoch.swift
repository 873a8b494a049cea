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
    private let channel: LiveChannel
    private let identifier: String
    private let eventLoop: any EventLoop
    private var inputs: [PublishedInput]
    private var phase = Phase.gathering
    private let startedAt: Int64
    private var receivedByteCount = 0
    private var reportedByteCount = 0

    private enum Phase {
        /// Waiting for every declared track's parameters and first unit. Units are kept meanwhile.
        case gathering
        case packaging(LivePackager)
        case ended
    }

    /// A declared track that has not sent anything by then is left out of this epoch.
    static let maximumGatheringMilliseconds: Int64 = 2_000
    /// Units kept while gathering: over 2 s of 60 frames/s video with audio. The oldest are dropped beyond.
    static let maximumGatheredUnitCount = 512

    /// And their bytes, should they be large: 2 s of over 100 Mbit/s.
    static let maximumGatheredByteCount = 32 << 20

    private var gathered: [GatheredUnit] = []
    private(set) var gatheredByteCount = 0
    private var firstUnitAt: Int64?

    private struct GatheredUnit {
        var unit: AccessUnit
        var trackID: UInt32
        /// Milliseconds since 1970: program dates are those of arrival, not of the end of the gathering.
        var arrivedAt: Int64
    }

    init(
        channel: LiveChannel, identifier: String, tracks: [PublishedTrack], eventLoop: any EventLoop, startedAt: Int64
    ) {
        self.channel = channel
        self.identifier = identifier
        self.eventLoop = eventLoop
        self.startedAt = startedAt
        inputs = PublishedInput.inputs(for: tracks)
        for input in inputs where !input.isUsed {
            reportError("a second \(input.track.mediaType.rawValue) track is not shown")
        }
    }

    // MARK: What the publisher brings

    /// - Parameter trackID: as announced; units of any other are ignored.
    package func append(_ unit: AccessUnit, trackID: UInt32) {
        eventLoop.preconditionInEventLoop()
        guard let index = inputs.firstIndex(where: { $0.track.id == trackID }), inputs[index].isUsed else { return }
        let now = channel.clock.now()
        inputs[index].hasSentUnit = true
        if inputs[index].meter.add(byteCount: unit.payload.byteCount, now: now) { publishStatistics() }
        switch phase {
        case .gathering:
            gather(unit, trackID: trackID, now: now)
        case .packaging(var packager):
            // Given back before the events are handled, so that there is one owner and nothing is copied.
            phase = .gathering
            let absorbed = packager.absorbedJumpCount
            let events = packager.append(unit, mediaType: inputs[index].track.mediaType, now: now)
            if packager.absorbedJumpCount != absorbed {
                reportError("the publisher's clock jumped; playback goes on where it was")
            }
            phase = .packaging(packager)
            publish(events)
        case .ended: break
        }
    }

    /// Parameters that came in band. Compared by content: a repetition changes nothing, a real change starts a
    /// discontinuity with a new initialization section.
    package func updateConfiguration(_ configuration: CodecConfiguration, trackID: UInt32) {
        eventLoop.preconditionInEventLoop()
        guard let index = inputs.firstIndex(where: { $0.track.id == trackID }),
            inputs[index].configuration != configuration
        else { return }
        let isChange = inputs[index].configuration != nil
        inputs[index].configuration = configuration
        channel.withState { state in
            guard let position = state.epoch?.tracks.firstIndex(where: { $0.id == trackID }) else { return }
            state.epoch?.tracks[position].describe(configuration)
        }
        if case .packaging(var packager) = phase, isChange {
            phase = .gathering
            packager.change(configuration, of: inputs[index].track.mediaType)
            phase = .packaging(packager)
        }
    }

    /// Every RTP packet, for the statistics.
    package func countReceived(byteCount: Int, packetCount: Int) { receivedByteCount += byteCount }

    package func countLost(packetCount: Int) {
        guard packetCount > 0 else { return }
        channel.withState { $0.packetsLost += packetCount }
    }

    /// Shown in the channel's status.
    package func reportError(_ text: String) {
        let now = channel.clock.now()
        channel.withState { $0.errors.add(text, at: now) }
        channel.logger.warning("push: \(text)")
    }

    /// The push is over. Calling it again changes nothing.
    ///
    /// - Parameters:
    ///   - reason: for people.
    ///   - isIntended: the publisher said so (TEARDOWN), rather than vanished.
    package func end(reason: String, isIntended: Bool = false) {
        if case .ended = phase { return }
        eventLoop.preconditionInEventLoop()
        if case .gathering = phase { startPackaging(now: channel.clock.now()) }
        if case .packaging(var packager) = phase {
            phase = .gathering
            let events = packager.finish()
            // The last segments may need an initialization section that is not registered yet.
            phase = .packaging(packager)
            publish(events)
        }
        phase = .ended
        gathered = []
        publishStatistics()
        channel.epochEnded(identifier: identifier, reason: reason, isIntended: isIntended)
    }

    // MARK: Starting

    private func gather(_ unit: AccessUnit, trackID: UInt32, now: Int64) {
        if firstUnitAt == nil { firstUnitAt = now }
        gathered.append(GatheredUnit(unit: unit, trackID: trackID, arrivedAt: now))
        gatheredByteCount += unit.payload.byteCount
        while gathered.count > Self.maximumGatheredUnitCount || gatheredByteCount > Self.maximumGatheredByteCount {
            gatheredByteCount -= gathered.removeFirst().unit.payload.byteCount
        }
        let isComplete = inputs.allSatisfy { !$0.isUsed || $0.isReady }
        if isComplete || now - (firstUnitAt ?? now) >= Self.maximumGatheringMilliseconds { startPackaging(now: now) }
    }

    private func startPackaging(now: Int64) {
        let ready = inputs.filter { $0.isUsed && $0.isReady }
        let tracks = ready.compactMap { input in
            input.configuration.map { LivePackagerTrack(track: input.track, configuration: $0) }
        }
        guard !tracks.isEmpty else {
            // Still nothing that could be packaged: go on waiting, with a fresh limit.
            firstUnitAt = now
            return
        }
        for index in inputs.indices where inputs[index].isUsed && !inputs[index].isReady {
            inputs[index].isUsed = false
            let what = inputs[index].hasSentUnit ? "no codec parameters" : "nothing"
            reportError("the declared \(inputs[index].track.mediaType.rawValue) track has sent \(what); it is left out")
        }
        let start = channel.epochStarts(identifier: identifier, mediaTypes: Set(tracks.map(\.track.mediaType)))
        let packager = LivePackager(
            configuration: channel.configuration.packaging, tracks: tracks, epoch: identifier,
            firstMediaSequence: start.firstMediaSequence, isDiscontinuous: start.isDiscontinuous,
            allocator: channel.allocator)
        for track in tracks { register(packager, mediaType: track.track.mediaType, configuration: track.configuration) }
        phase = .packaging(packager)
        let units = gathered
        gathered = []
        gatheredByteCount = 0
        for gathered in units { replay(gathered) }
        channel.logger.info(
            "live",
            metadata: [
                "tracks": "\(tracks.map(\.configuration.rfc6381).joined(separator: ","))", "epoch": "\(identifier)",
            ])
    }

    private func replay(_ gathered: GatheredUnit) {
        guard case .packaging(var packager) = phase,
            let input = inputs.first(where: { $0.track.id == gathered.trackID }), input.isUsed
        else { return }
        phase = .gathering
        let events = packager.append(gathered.unit, mediaType: input.track.mediaType, now: gathered.arrivedAt)
        phase = .packaging(packager)
        publish(events)
    }

    private func register(_ packager: LivePackager, mediaType: MediaType, configuration: CodecConfiguration) {
        guard let section = packager.initializationSection(for: mediaType) else { return }
        let number = packager.initializationNumber(for: mediaType)
        if let index = inputs.firstIndex(where: { $0.isUsed && $0.track.mediaType == mediaType }) {
            inputs[index].registeredInitializationNumber = number
        }
        channel.register(
            initializationSection: section, configuration: configuration, epoch: identifier, number: number)
    }

    // MARK: Publishing

    private func publish(_ events: [LivePackagingEvent]) {
        guard !events.isEmpty else { return }
        // A change of parameters shows in the packager's number before any segment needs the new section.
        if case .packaging(let packager) = phase {
            for input in inputs where input.isUsed {
                let number = packager.initializationNumber(for: input.track.mediaType)
                if number != input.registeredInitializationNumber, let configuration = input.configuration {
                    register(packager, mediaType: input.track.mediaType, configuration: configuration)
                }
            }
        }
        channel.publish(events, identifier: identifier)
    }

    private func publishStatistics() {
        let received = receivedByteCount - reportedByteCount
        reportedByteCount = receivedByteCount
        let measured = inputs.map { (id: $0.track.id, frameRate: $0.meter.frameRate, bitRate: $0.meter.bitRate) }
        channel.withState { state in
            state.bytesIn += received
            guard state.epoch?.identifier == identifier else { return }
            for track in measured {
                guard let index = state.epoch?.tracks.firstIndex(where: { $0.id == track.id }) else { continue }
                state.epoch?.tracks[index].frameRate = track.frameRate
                state.epoch?.tracks[index].bitRate = track.bitRate
            }
        }
    }
}
