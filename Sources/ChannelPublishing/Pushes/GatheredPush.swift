import Codecs
package import LiveChannels
package import MediaCore
package import NIOCore

/// A push whose protocol does not announce the tracks, from its first unit to its end: one track of video and one of
/// audio. Confined to the publisher's event loop.
///
/// Units are kept until the parameters of all tracks have come that can be expected, or until
/// ``GatheringLimits/time`` is over. A track that comes later begins the push again.
package final class GatheredPush {
    package let channel: LiveChannel
    private let publisher: Publisher
    private let eventLoop: any EventLoop
    private let limits: GatheringLimits
    private let onKick: @Sendable (String) -> Void
    private var tracks: [MediaType: PushedTrack] = [:]
    /// The kinds of tracks that come, as the encoder says; `nil` if it has not said.
    private var expected: Set<MediaType>?
    private var firstUnitAt: NIODeadline?
    private var gathered: [(unit: AccessUnit, mediaType: MediaType)] = []
    private var gatheredByteCount = 0
    private var epoch: PublishingEpoch?
    /// The tracks with which the epoch has begun.
    private var begun: [MediaType: PushedTrack] = [:]
    /// The newest times of captures, for an epoch that begins later.
    private var captureTimes: [MediaType: (date: WallClockTime, mediaTime: MediaTime)] = [:]
    private var isOver = false

    /// - Parameters:
    ///   - channel: the channel.
    ///   - publisher: who publishes.
    ///   - eventLoop: the event loop of the publisher's connection.
    ///   - limits: limits of the units that are kept.
    ///   - onKick: called with a reason when the push has to end, on any thread.
    package init(
        to channel: LiveChannel, by publisher: Publisher, on eventLoop: any EventLoop,
        limits: GatheringLimits = GatheringLimits(), onKick: @escaping @Sendable (String) -> Void
    ) {
        (self.channel, self.publisher, self.eventLoop) = (channel, publisher, eventLoop)
        (self.limits, self.onKick) = (limits, onKick)
    }

    /// Whether the channel has got something.
    package var hasBegun: Bool { epoch != nil }
    /// Called when somebody has begun to need units as they arrive.
    package var onHurry: (() -> Void)?

    /// The time from which units have to be taken as they arrive; `nil` while that does not matter to anybody.
    package func promptTime(now: NIODeadline) -> NIODeadline? {
        MediaType.allCases.lazy.compactMap { self.channel.promptTime($0, now: now) }.min()
    }

    private static func identifier(_ mediaType: MediaType) -> UInt32 { mediaType == .video ? 0 : 1 }

    // MARK: Tracks

    /// Says which kinds of tracks come, so that nobody waits for others.
    package func expect(_ mediaTypes: Set<MediaType>) { if epoch == nil { expected = mediaTypes } }

    /// Notes what is known of a track. Another codec or sample rate begins the push again.
    ///
    /// - Parameters:
    ///   - mediaType: the kind of track.
    ///   - track: its parameters; `nil` if there is no such track any more.
    package func set(_ mediaType: MediaType, _ track: PushedTrack?) {
        guard track != tracks[mediaType] else { return }
        tracks[mediaType] = track
        guard let epoch, let known = begun[mediaType] else { return }
        guard let track else { return restart("the encoder has ended the \(mediaType.rawValue) track") }
        if known.timescale != track.timescale || known.foreignCodec != track.foreignCodec {
            return restart("the encoder has changed the parameters of the \(mediaType.rawValue) track")
        }
        guard let configuration = track.configuration else { return }
        epoch.updateConfiguration(configuration, trackID: Self.identifier(mediaType))
        begun[mediaType] = track
    }

    /// Counts what has been received.
    package func countReceived(byteCount: Int, packetCount: Int, of mediaType: MediaType) {
        epoch?.countReceived(
            byteCount: byteCount, packetCount: packetCount, trackID: Self.identifier(mediaType))
    }

    /// Shows an error in the status of the channel.
    package func reportError(_ text: String) { epoch?.reportError(text) }

    /// Notes the quality of the line.
    package func note(_ quality: LinkQuality) { epoch?.note(quality) }

    /// Notes the time, on the server's clock, at which something of a track was captured.
    ///
    /// - Parameters:
    ///   - date: the time of the capture, which the publisher may have wrong.
    ///   - mediaTime: its time on the timeline of the units.
    ///   - mediaType: the kind of track.
    package func setCaptureTime(_ date: WallClockTime, mediaTime: MediaTime, of mediaType: MediaType) {
        captureTimes[mediaType] = (date, mediaTime)
        epoch?.setCaptureTime(date, mediaTime: mediaTime, trackID: Self.identifier(mediaType))
    }

    /// Announces an event to viewers. A channel that takes no more of them, or shows nothing, is no reason to disturb
    /// the encoder.
    package func announce(_ metadata: TimedMetadata) { _ = epoch?.announce(metadata) }

    // MARK: Units

    /// Takes a unit of a track that was set.
    ///
    /// - Throws: `PublishingError` if the channel has another publisher.
    package func deliver(_ unit: AccessUnit, of mediaType: MediaType) throws(PublishingError) {
        guard !isOver else { return }
        if let epoch, begun[mediaType] != nil { return epoch.append(unit, trackID: Self.identifier(mediaType)) }
        if epoch != nil { restart("a track has come later than the others") }
        let now = eventLoop.now
        firstUnitAt = firstUnitAt ?? now
        gathered.append((unit, mediaType))
        gatheredByteCount += unit.payload.byteCount
        let hasWaited = now - (firstUnitAt ?? now) >= TimeAmount(limits.time)
        let isFull = gathered.count >= limits.unitCount || gatheredByteCount >= limits.byteCount
        guard isComplete || hasWaited || isFull else { return }
        try begin()
    }

    /// Whether all tracks are there that can be expected.
    private var isComplete: Bool {
        MediaType.allCases.allSatisfy { mediaType in
            tracks[mediaType]?.isReady ?? !(expected?.contains(mediaType) ?? true)
        }
    }

    private func begin() throws(PublishingError) {
        begun = tracks.filter(\.value.isReady)
        let published = MediaType.allCases.compactMap { mediaType in
            begun[mediaType].map {
                PublishedTrack(
                    track: Track(id: Self.identifier(mediaType), mediaType: mediaType, timescale: $0.timescale),
                    configuration: $0.configuration, foreignCodec: $0.foreignCodec)
            }
        }
        let epoch = try channel.beginPublishing(publisher, tracks: published, on: eventLoop, onKick: onKick)
        self.epoch = epoch
        epoch.onHurry = { [weak self] in self?.onHurry?() }
        for (mediaType, captured) in captureTimes {
            epoch.setCaptureTime(
                captured.date, mediaTime: captured.mediaTime, trackID: Self.identifier(mediaType))
        }
        for (unit, mediaType) in gathered where begun[mediaType] != nil {
            epoch.append(unit, trackID: Self.identifier(mediaType))
        }
        clearGathered()
    }

    /// Ends what has begun, so that the next unit begins again.
    package func restart(_ reason: String) {
        epoch?.end(reason: reason)
        epoch = nil
        begun = [:]
        clearGathered()
        expected = nil
    }

    private func clearGathered() {
        gathered = []
        gatheredByteCount = 0
        firstUnitAt = nil
    }

    /// All units that have arrived together have been taken.
    package func unitsArrived() { epoch?.unitsArrived() }

    /// Ends the push. Has no effect after the first call.
    package func end(reason: String, isIntended: Bool) {
        isOver = true
        clearGathered()
        epoch?.end(reason: reason, isIntended: isIntended)
        epoch = nil
    }
}
