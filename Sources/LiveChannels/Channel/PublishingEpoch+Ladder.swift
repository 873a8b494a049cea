import Codecs
import LogMetadata
import Logging
import MediaCore
import NIOCore
import Packaging

/// Sends the leading video to the ladder of the channel, and packages what comes back.
extension PublishingEpoch {
    /// Starts the ladder of a push whose video is packaged from now on, or goes on with it.
    func startLadder() {
        guard leadingRendition == .video,
            let index = inputs.firstIndex(where: { $0.rendition == .video && $0.isPackaged }),
            let configuration = inputs[index].configuration
        else { return stopLadder() }
        if let ladder, ladder.codec == configuration.name { return }
        stopLadder()
        var presets = channel.configuration.ladder.filter { $0.isSmaller(than: configuration.shownSize) }
        let boardRung = channel.configuration.scoreboardPreset.map { preset in
            // From the largest to the smallest, and after the same quality without a board.
            let index = presets.firstIndex { $0.videoBitRate < preset.videoBitRate } ?? presets.endIndex
            presets.insert(preset, at: index)
            return index
        }
        guard !presets.isEmpty, let factory = channel.ladders else { return }
        let timescale = inputs[index].packagedTimescale ?? inputs[index].track.timescale
        let epoch = NIOLoopBound(self, eventLoop: eventLoop)
        let relay = TranscoderRelay<LiveLadderOutput>(eventLoop: eventLoop) { epoch.value.receive($0) }
        let rungs = zip(presets, RenditionID.rungs(presets, boardRung: boardRung)).map {
            EpochLadder.Rung(preset: $0, rendition: $1)
        }
        ladderBeganAt = channel.clock.now()
        do {
            let made = try factory.makeLadder(
                LiveLadderPlan(
                    configuration: configuration, timescale: timescale, presets: presets,
                    encoder: channel.configuration.ladderEncoder, boardRung: boardRung)
            ) { relay.receive($0) }
            ladder = EpochLadder(
                made, relay: relay, timescale: timescale, codec: configuration.name, rungs: rungs)
            if boardRung != nil {
                channel.boards.begin(made)
                if channel.configuration.relays.restreamsScoreboard {
                    drawn = DrawnBroadcast(channel.drawnFanOut, timescale: timescale)
                }
            }
            channel.beginLadder(rungs.map(\.status), identifier: identifier)
        } catch {
            relay.close()
            reportError("the channel is shown without its ladder: \(error)")
        }
    }

    func stopLadder() {
        if let ladder { channel.boards.end(ladder.ladder) }
        drawn?.end()
        drawn = nil
        ladder?.close()
        ladder = nil
    }

    /// The time for which a ladder is encoded although nobody watches, so that the first viewer finds its qualities.
    static let ladderTrialTime = Duration.seconds(20)

    /// Tells the ladder whether somebody watches. Called about once a second.
    func measureLadder(now: WallClockTime) {
        guard ladder != nil else { return }
        let isNew = ladderBeganAt.map { now - $0 < Self.ladderTrialTime } ?? false
        ladder?.setWatched(
            !channel.configuration.isLadderOnDemand || isNew || drawn != nil || channel.isWatched)
    }

    /// Hands a unit to the ladder that the packager has just taken.
    func sendToLadder(_ unit: AccessUnit, index: Int) {
        guard ladder != nil, inputs[index].rendition == leadingRendition, case .packaging(let packager) = phase,
            let times = packager.leadingUnit, let configuration = inputs[index].configuration
        else { return }
        drawn?.noteTime(
            MediaTime(value: unit.presentationTime, timescale: inputs[index].track.timescale),
            packaged: times.presentationTime)
        var unit = unit
        (unit.decodeTime, unit.presentationTime) = (times.decodeTime, times.presentationTime)
        if ladder?.isDated == false {
            ladder?.setDate(channel.clock.now() - programClock.captureDelay, at: unit.presentationTime)
        }
        ladder?.send(unit, configuration)
    }

    // MARK: What comes back

    private func receive(_ delivery: TranscoderRelay<LiveLadderOutput>.Delivery) {
        if delivery.droppedUnitCount > 0, ladder?.hasReportedOverload == false {
            ladder?.hasReportedOverload = true
            reportError("the ladder's pictures come too late; some are left out")
        }
        for output in delivery.outputs {
            // Any output may have ended the ladder.
            guard ladder != nil else { return }
            switch output {
            case .configuration(let rung, let configuration): setConfiguration(configuration, rung: rung)
            case .unit(let rung, let unit): take(unit, rung: rung)
            case .state(let rung, let state): setState(state, rung: rung)
            case .boardMissing(let reason):
                reportError("the scoreboard is not drawn into the picture: \(reason)")
            case .interrupted(let reason):
                ladder?.noteInterruption()
                reportError("the ladder's encoder ended and starts again: \(reason)")
            case .failed(let reason):
                reportError("the ladder has failed, and the channel is shown without it: \(reason)")
                for rung in ladder?.rungs.indices ?? 0..<0 { setState(.failed, rung: rung) }
                stopLadder()
            }
        }
    }

    private func setConfiguration(_ configuration: CodecConfiguration, rung: Int) {
        guard let known = ladder?.rung(rung), known.configuration != configuration else { return }
        ladder?.rungs[rung].configuration = configuration
        if let size = configuration.videoSize {
            channel.updateLadder(rung, identifier: identifier) { ($0.width, $0.height) = (size.width, size.height) }
        }
        phase.withPackager { $0.change(configuration, of: known.rendition) }
    }

    private func take(_ unit: AccessUnit, rung: Int) {
        guard case .packaging(let packager) = phase, let unit = ladder?.placed(unit, rung: rung),
            let timescale = ladder?.timescale, let known = ladder?.rung(rung),
            let configuration = known.configuration
        else { return }
        if known.rendition == .scoreboard {
            drawn?.take(unit, configuration, of: channel.fanOut.broadcast, epoch: self)
        }
        if !packager.hasRung(known.rendition) {
            guard unit.isRandomAccessPoint else { return }
            add(known.rendition, configuration, timescale, rung: rung)
        }
        guard let events = phase.withPackager({ $0.append(unit, toRung: known.rendition) }) else { return }
        publish(events)
    }

    private func add(_ rendition: RenditionID, _ configuration: CodecConfiguration, _ timescale: Timescale, rung: Int) {
        let track = LivePackagerTrack(
            track: Track(id: Self.rungTrackID, mediaType: .video, timescale: timescale), configuration: configuration,
            rendition: rendition)
        phase.withPackager { $0.addRung(track) }
        guard case .packaging(let packager) = phase, packager.hasRung(rendition) else { return }
        channel.add(rung: rendition, identifier: identifier)
        register(packager, rendition, configuration: configuration)
    }

    /// An ID that announced tracks do not have.
    private static let rungTrackID = UInt32.max - 1

    private func setState(_ state: LiveRungState, rung: Int) {
        guard let known = ladder?.rung(rung), known.state != state else { return }
        ladder?.rungs[rung].state = state
        if known.rendition == .scoreboard, state != .encoded { drawn?.end() }
        phase.withPackager { packager in
            if state == .encoded {
                packager.resumeRung(known.rendition)
            } else {
                packager.suspendRung(known.rendition)
            }
        }
        channel.logger.info(
            "ladder changed",
            metadata: [.preset: "\(known.preset.name)", .state: "\(state.rawValue)"])
        channel.setLadder(known.rendition, state: state, identifier: identifier, rung: rung, name: known.preset.name)
    }
}

extension EpochLadder.Rung {
    fileprivate var status: ChannelStatus.RungStatus {
        ChannelStatus.RungStatus(
            name: rendition == .scoreboard ? "\(preset.name)-scoreboard" : preset.name, rendition: rendition.name,
            state: state, bitRate: preset.videoBitRate)
    }
}

extension CodecConfiguration {
    /// The size of the pictures; `nil` if the parameters do not tell.
    fileprivate var shownSize: (width: Int, height: Int)? { videoSize.map { ($0.width, $0.height) } }
}

extension QualityPreset {
    /// Whether a picture is made smaller by it: the qualities of a ladder are lower than the source.
    fileprivate func isSmaller(than size: (width: Int, height: Int)?) -> Bool {
        guard let size else { return true }
        let (long, short) = (max(size.width, size.height), min(size.width, size.height))
        return long > max(width, height) || short > min(width, height)
    }
}
