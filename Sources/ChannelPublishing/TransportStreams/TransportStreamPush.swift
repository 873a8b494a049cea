import Codecs
import HLSPlaylist
package import LiveChannels
import MediaCore
package import NIOCore
import TransportStream

/// A push as a transport stream: the first stream of video and the first of audio of its programme. Confined to the
/// publisher's event loop.
package final class TransportStreamPush {
    private let push: GatheredPush
    private let eventLoop: any EventLoop
    private var demultiplexer = TSDemultiplexer()
    private var tracks: [MediaType: TSTrack] = [:]
    /// Streams of metadata, by identifier.
    private var metadataStreams: Set<UInt16> = []
    private var metadataShownAt: NIODeadline?
    /// Splices whose time has not come.
    private var splices: [SpliceInformation] = []
    private var isOver = false
    /// The errors that were reported, and when.
    private var reported: [String: NIODeadline] = [:]

    /// Time between two reports of the same error, and the errors that are told apart.
    private static let reportInterval = TimeAmount.seconds(10)
    private static let maximumReportCount = 16
    /// Splices that are kept; encoders announce one, several times.
    private static let maximumSpliceCount = 16
    /// Time between two items of metadata that viewers are told of: sensors send 25 a second.
    private static let metadataInterval = TimeAmount.seconds(1)
    /// Bytes of an item of metadata that stand in a playlist.
    private static let maximumMetadataByteCount = 512
    /// The beginning of a universal key (SMPTE ST 336), and where it stands behind the header of a cell of metadata.
    private static let universalKey: [UInt8] = [0x06, 0x0E, 0x2B, 0x34]
    private static let cellHeaderByteCount = 5

    /// - Parameters:
    ///   - push: the push.
    ///   - eventLoop: the event loop of the publisher's connection.
    package init(_ push: GatheredPush, on eventLoop: any EventLoop) { (self.push, self.eventLoop) = (push, eventLoop) }

    package var channel: LiveChannel { push.channel }
    /// Whether the channel has got something.
    package var hasBegun: Bool { push.hasBegun }

    // MARK: Bytes

    /// Takes bytes of the stream, which need not be whole packets.
    ///
    /// - Throws: ``PushRefusal`` for a stream that cannot be shown; `PublishingError` if the channel has another
    ///   publisher; `TSError` for what is no transport stream.
    package func receive(_ bytes: ByteBuffer) throws {
        guard !isOver else { return }
        demultiplexer.append(bytes)
        while let event = try demultiplexer.next() {
            switch event {
            case .streams(let streams): try follow(streams)
            case .frame(let frame): try take(frame)
            case .splice(let section, _): take(splice: section)
            }
        }
        push.unitsArrived()
    }

    /// Takes the streams that the programme has from now on.
    private func follow(_ streams: [TSStream]) throws(PushRefusal) {
        metadataStreams = Set(streams.filter { $0.content == .metadata }.map(\.identifier))
        let shown = streams.compactMap { TSTrack($0) }
        guard !shown.isEmpty else {
            guard !streams.isEmpty else { return }
            throw PushRefusal("the programme has no stream of a codec that can be shown")
        }
        for mediaType in MediaType.allCases {
            let first = shown.first { $0.mediaType == mediaType }
            guard first?.stream != tracks[mediaType]?.stream else { continue }
            tracks[mediaType] = first
            push.set(mediaType, nil)
        }
        push.expect(Set(tracks.keys))
    }

    private func take(_ frame: TSFrame) throws {
        guard let mediaType = tracks.first(where: { $0.value.stream.identifier == frame.identifier })?.key,
            var track = tracks[mediaType]
        else {
            if metadataStreams.contains(frame.identifier) { take(metadata: frame.content) }
            return
        }
        push.countReceived(byteCount: frame.content.readableBytes, packetCount: 1, of: mediaType)
        if frame.isDamaged { report("packets of the transport stream are missing or damaged") }
        var units: [AccessUnit] = []
        do {
            units = try track.units(of: frame).units
        } catch {
            guard track.isReady else { throw PushRefusal("a stream cannot be used: \(error)") }
            report("\(error)")
        }
        tracks[mediaType] = track
        if track.isReady {
            push.set(
                mediaType,
                PushedTrack(
                    timescale: track.timescale, configuration: track.configuration, foreignCodec: track.foreignCodec))
        }
        for unit in units { try push.deliver(unit, of: mediaType) }
        announceSplices(until: frame.presentationTime)
    }

    /// Reports an error, unless the same was reported a moment ago: a bad line damages many frames in a second.
    private func report(_ words: String) {
        let now = eventLoop.now
        if let last = reported[words], now - last < Self.reportInterval { return }
        if reported.count >= Self.maximumReportCount { reported = [:] }
        reported[words] = now
        push.reportError(words)
    }

    // MARK: Events

    private func take(splice section: ByteBuffer) {
        guard let splice = SpliceInformation(section), splices.count < Self.maximumSpliceCount,
            // They are sent again and again.
            !splices.contains(splice)
        else { return }
        splices.append(splice)
        if splice.time == nil { announceSplices(until: nil) }
    }

    private var announced: [SpliceInformation] = []

    private func announceSplices(until time: Int64?) {
        guard push.hasBegun else { return }
        let due = splices.filter { splice in time.map { splice.isReached(at: $0) } ?? (splice.time == nil) }
        guard !due.isEmpty else { return }
        splices.removeAll { due.contains($0) }
        for splice in due where !announced.contains(splice) {
            announced = announced.suffix(Self.maximumSpliceCount - 1) + [splice]
            if let metadata = TimedMetadata(splice) { push.announce(metadata) }
        }
    }

    private func take(metadata content: ByteBuffer) {
        var content = content
        if content.getBytes(at: content.readerIndex + Self.cellHeaderByteCount, length: Self.universalKey.count)
            == Self.universalKey
        {
            content.moveReaderIndex(forwardBy: Self.cellHeaderByteCount)
        }
        let now = eventLoop.now
        guard push.hasBegun, metadataShownAt.map({ now - $0 >= Self.metadataInterval }) ?? true,
            (1...Self.maximumMetadataByteCount).contains(content.readableBytes),
            let attribute = DateRange.Attribute("X-KLV", .hexadecimal(Array(content.readableBytesView))),
            let metadata = try? TimedMetadata(rangeClass: "klv", duration: 0, attributes: [attribute])
        else { return }
        metadataShownAt = now
        push.announce(metadata)
    }

    // MARK: The push

    /// Notes the quality of the line.
    package func note(_ quality: LinkQuality) { push.note(quality) }

    /// The time from which bytes have to be taken as they arrive; `nil` while that does not matter to anybody.
    package func promptTime(now: NIODeadline) -> NIODeadline? { push.promptTime(now: now) }

    /// Ends the push. Has no effect after the first call.
    package func end(reason: String, isIntended: Bool) {
        guard !isOver else { return }
        // The last frames of the streams end with the stream.
        for case .frame(let frame) in demultiplexer.finish() { try? take(frame) }
        isOver = true
        push.end(reason: reason, isIntended: isIntended)
    }
}

extension TimedMetadata {
    /// - Returns: `nil` if the message cannot stand in a playlist.
    fileprivate init?(_ splice: SpliceInformation) {
        let name =
            switch splice.kind {
            case .out: "SCTE35-OUT"
            case .in: "SCTE35-IN"
            case .command: "SCTE35-CMD"
            }
        guard let attribute = DateRange.Attribute(name, .hexadecimal(splice.bytes)) else { return nil }
        let seconds = splice.duration.map { Double($0) / 90_000 }
        try? self.init(
            rangeClass: "scte35", duration: splice.kind == .out ? nil : 0, plannedDuration: seconds,
            attributes: [attribute])
    }
}
