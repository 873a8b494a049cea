import Codecs
import Logging
import LogMetadata
import MediaCore
import NIOCore
import Packaging

extension PublishingEpoch {
    /// Takes a unit for viewers, from the publisher or from a transcoder.
    func take(_ unit: AccessUnit, index: Int, now: WallClockTime) {
        inputs[index].hasSentUnit = true
        noteCaptions(in: unit, index: index)
        if case .gathering = phase {
            gather(GatheredUnit(unit: unit, index: index, arrivedAt: now))
        } else {
            if isPlaceForLateTracks(unit, index: index) { restartPackaging(now: now) }
            package(unit, index: index, arrivedAt: now)
        }
    }

    /// Declares services of closed captions when the first frame with text of them comes.
    private func noteCaptions(in unit: AccessUnit, index: Int) {
        let isHEVC: Bool
        switch inputs[index].configuration {
        case .h264: isHEVC = false
        case .hevc: isHEVC = true
        default: return
        }
        let found = ClosedCaptions(in: unit, isHEVC: isHEVC)
        guard !found.isSubset(of: captions) else { return }
        captions.formUnion(found)
        if case .packaging = phase { channel.show(captions) }
    }

    /// Sets the codec parameters of a track; a change starts a discontinuity.
    func setConfiguration(_ configuration: CodecConfiguration, index: Int) {
        guard inputs[index].configuration != configuration else { return }
        let isChange = inputs[index].configuration != nil
        inputs[index].configuration = configuration
        channel.withState { state in
            state.presence.update(identifier) { $0.tracks[index].describe(configuration) }
        }
        guard isChange, inputs[index].isUsed else { return }
        let rendition = inputs[index].rendition
        phase.withPackager { $0.change(configuration, of: rendition) }
    }

    // MARK: Starting

    private func gather(_ newest: GatheredUnit) {
        let firstUnitAt = self.firstUnitAt ?? newest.arrivedAt
        self.firstUnitAt = firstUnitAt
        gathered.append(newest)
        gatheredByteCount += newest.unit.payload.byteCount
        while gathered.count > Self.maximumGatheredUnitCount || gatheredByteCount > Self.maximumGatheredByteCount {
            gatheredByteCount -= gathered.removeFirst().unit.payload.byteCount
        }
        let isComplete = inputs.allSatisfy { !$0.isUsed || $0.isReady }
        if isComplete || newest.arrivedAt - firstUnitAt >= Self.maximumGatheringTime {
            startPackaging(now: newest.arrivedAt)
        }
    }

    func startPackaging(now: WallClockTime) {
        var tracks = inputs.filter(isPackageable).compactMap { input in
            input.configuration.map {
                LivePackagerTrack(track: input.track, configuration: $0, rendition: input.rendition)
            }
        }
        guard !tracks.isEmpty else {
            // There is still nothing to package: continue to wait, with a new limit.
            firstUnitAt = now
            return
        }
        for index in inputs.indices where inputs[index].isUsed {
            inputs[index].isPackaged = isPackageable(inputs[index])
            guard inputs[index].isMissing, inputs[index].isSent, packagingCount == 0 else { continue }
            reportError(
                "the declared \(inputs[index].track.mediaType.rawValue) track has sent "
                    + "\(inputs[index].whatIsMissing) yet; the channel is shown without it until it comes")
        }
        packagingCount += 1
        leadingRendition = tracks.map(\.rendition).min() ?? .video
        let start = channel.epochStarts(packaging: packagingIdentifier, tracks: tracks, isFirst: packagingCount == 1)
        channel.show(captions)
        programClock.begin(earliestDate: start.windowEnd)
        for index in tracks.indices {
            if let timescale = start.audioTimescales[tracks[index].rendition] {
                tracks[index].track.timescale = timescale
            }
        }
        for index in inputs.indices {
            if let timescale = start.audioTimescales[inputs[index].rendition] {
                inputs[index].packagedTimescale = timescale
            }
        }
        let packager = LivePackager(
            configuration: start.packaging, tracks: tracks + start.standIns, epoch: packagingIdentifier,
            firstMediaSequence: start.firstMediaSequence, isDiscontinuous: start.isDiscontinuous,
            start: start.mediaStart, allocator: channel.allocator)
        for track in tracks + start.standIns {
            register(packager, track.rendition, configuration: track.configuration)
        }
        phase = .packaging(packager)
        startLadder()
        let units = gathered
        gathered = []
        gatheredByteCount = 0
        for gathered in units where inputs[gathered.index].isUsed {
            package(gathered.unit, index: gathered.index, arrivedAt: gathered.arrivedAt)
        }
        if packagingCount == 1 {
            channel.announce(epoch: identifier, codecs: tracks.map(\.configuration.rfc6381))
            if let firstUnitAt { channel.noteInterruption(before: start, firstUnitAt: firstUnitAt) }
        }
        channel.logger.info(
            packagingCount == 1 ? "channel is live" : "late track added",
            metadata: [
                .tracks: "\(tracks.map(\.configuration.rfc6381).joined(separator: ","))",
                .epoch: "\(packagingIdentifier)",
                .filledTracks: "\(start.standIns.map(\.rendition.name).joined(separator: ","))",
            ])
    }

    // MARK: Late tracks

    /// The identifier of the media in URLs. What is packaged again has URLs of its own, as after a reconnection.
    var packagingIdentifier: String { packagingCount > 1 ? "\(identifier)-\(packagingCount)" : identifier }

    /// Returns whether tracks that have come late can be shown from a unit on: it must be one at which the leading
    /// track can begin. So viewers of video do not wait for its next key frame when audio comes.
    private func isPlaceForLateTracks(_ unit: AccessUnit, index: Int) -> Bool {
        guard unit.isRandomAccessPoint, case .packaging = phase,
            inputs.contains(where: { $0.isMissing && isPackageable($0) })
        else { return false }
        return inputs[index].rendition == inputs.filter(isPackageable).map(\.rendition).min()
    }

    /// Returns whether a track can be shown. One that shows another's units untouched comes with its conversion, which
    /// most players need, or alone where that has failed.
    private func isPackageable(_ input: PublishedInput) -> Bool {
        guard input.isUsed, input.isReady else { return false }
        return input.sourceIndex.map { inputs[$0].isReady || !inputs[$0].isUsed } ?? true
    }

    /// Packages all tracks that have come, as after a reconnection: players see a discontinuity, and the multivariant
    /// playlist has the new rendition. A player that is already watching plays on.
    private func restartPackaging(now: WallClockTime) {
        if let events = phase.withPackager({ $0.finish() }) { publish(events) }
        channel.packagingEnds(packagingIdentifier)
        programClock.restart()
        phase = .gathering
        startPackaging(now: now)
    }

    /// Leaves a track out of this epoch, and reports the reason.
    func leaveOut(_ index: Int, _ reason: String) {
        inputs[index].isUsed = false
        inputs[index].isPackaged = false
        inputs[index].transcoding?.close()
        inputs[index].transcoding = nil
        reportError("\(reason); it is left out")
    }

    // MARK: Packaging

    private func package(_ unit: AccessUnit, index: Int, arrivedAt: WallClockTime) {
        let track = inputs[index].track
        let began = eventLoop.now
        let outcome = phase.withPackager { packager in
            let absorbed = packager.absorbedJumpCount
            let events = packager.append(
                unit.rescaled(from: track.timescale, to: inputs[index].packagedTimescale ?? track.timescale),
                to: inputs[index].rendition, now: arrivedAt)
            return (events: events, hasJumped: packager.absorbedJumpCount != absorbed)
        }
        guard let outcome else { return }
        if outcome.hasJumped { reportError("the publisher's clock jumped; playback continues where it was") }
        if inputs[index].rendition == leadingRendition {
            programClock.follow(unit, timescale: track.timescale, arrivedAt: arrivedAt, hasJumped: outcome.hasJumped)
        }
        publish(outcome.events)
        sendToLadder(unit, index: index)
        let unitTime = MediaTime(value: unit.decodeTime, timescale: track.timescale)
        noteParts(outcome.events, unitTime: unitTime, of: track.mediaType)
        inputs[index].arrivedUnitTime = unitTime
        for event in outcome.events {
            guard case .part = event else { continue }
            channel.partLatency.record(nanoseconds: (eventLoop.now - began).nanoseconds)
        }
    }

    func register(_ packager: LivePackager, _ rendition: RenditionID, configuration: CodecConfiguration) {
        guard let section = packager.initializationSection(for: rendition) else { return }
        let number = packager.initializationNumber(for: rendition)
        if let index = inputs.firstIndex(where: { $0.isPackaged && $0.rendition == rendition }) {
            inputs[index].registeredInitializationNumber = number
        } else if let rung = ladder?.rungs.firstIndex(where: { $0.rendition == rendition }) {
            ladder?.rungs[rung].registeredInitializationNumber = number
        }
        channel.register(
            initializationSection: section, configuration: configuration, of: rendition, epoch: packagingIdentifier,
            number: number)
    }

    func publish(_ events: [LivePackagingEvent]) {
        guard !events.isEmpty else { return }
        var keyFrames: KeyFrameMeter?
        // A change of parameters changes the packager's number before any segment needs the new section.
        if case .packaging(let packager) = phase {
            for input in inputs where input.isPackaged {
                let number = packager.initializationNumber(for: input.rendition)
                if number != input.registeredInitializationNumber, let configuration = input.configuration {
                    register(packager, input.rendition, configuration: configuration)
                }
            }
            for rung in ladder?.rungs ?? [] where packager.hasRung(rung.rendition) {
                let number = packager.initializationNumber(for: rung.rendition)
                if number != rung.registeredInitializationNumber, let configuration = rung.configuration {
                    register(packager, rung.rendition, configuration: configuration)
                }
            }
            keyFrames = packager.keyFrames
        }
        let events = events.map(dated)
        for case .part(leadingRendition, let part, let header) in events { ladder?.note(part, of: header) }
        let ended = channel.publish(
            events, keyFrames: keyFrames, identifier: identifier, packaging: packagingIdentifier)
        for rendition in ended { phase.withPackager { $0.removeStandIn(for: rendition) } }
    }

    private func noteParts(_ events: [LivePackagingEvent], unitTime: MediaTime, of source: MediaType) {
        for event in events {
            switch event {
            case .part(let rendition, _, let header) where rendition.isMain:
                partRhythm.finished(rendition.mediaType, of: header.mediaSequence, by: unitTime, from: source)
            case .segment(let rendition, let segment) where rendition.isMain:
                partRhythm.finished(rendition.mediaType, of: segment.header.mediaSequence, by: unitTime, from: source)
            case .part, .segment, .nextPart, .keyFramesTooFarApart: break
            }
        }
    }

    private func dated(_ event: LivePackagingEvent) -> LivePackagingEvent {
        switch event {
        case .part(let rendition, let part, let header):
            return .part(rendition, part, of: dated(header, rendition))
        case .segment(let rendition, var segment):
            segment.header = dated(segment.header, rendition)
            return .segment(rendition, segment)
        case .nextPart, .keyFramesTooFarApart: return event
        }
    }

    private func dated(_ header: LiveSegmentHeader, _ rendition: RenditionID) -> LiveSegmentHeader {
        var header = header
        header.programDateTime = programClock.date(header, of: rendition, isLeading: rendition == leadingRendition)
        return header
    }
}

extension AccessUnit {
    /// The same unit with its timestamps in another timescale.
    fileprivate func rescaled(from timescale: Timescale, to other: Timescale) -> AccessUnit {
        guard timescale != other else { return self }
        var unit = self
        unit.decodeTime = MediaTime(value: decodeTime, timescale: timescale).converted(to: other).value
        unit.presentationTime = MediaTime(value: presentationTime, timescale: timescale).converted(to: other).value
        return unit
    }
}
