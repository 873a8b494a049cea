import Codecs
import MediaCore
import NIOCore

/// Sends tracks that HLS does not carry to a transcoder's thread, and takes its output back.
extension PublishingEpoch {
    /// Starts at most one transcoder per track, while the push is shown.
    func startTranscoders() {
        for index in inputs.indices where inputs[index].isUsed {
            guard let codec = inputs[index].foreignCodec else { continue }
            let track = inputs[index].track
            let what = "the \(track.mediaType.rawValue) track is \(codec.name), which HLS does not carry"
            guard let factory = channel.transcoders else {
                leaveOut(index, "\(what), and there is no transcoder for it")
                continue
            }
            do {
                inputs[index].transcoding = try startTranscoding(index, codec, track.timescale, factory)
            } catch {
                leaveOut(index, "\(what), and its transcoder does not start: \(error)")
            }
        }
    }

    private func startTranscoding(
        _ index: Int, _ codec: ForeignCodec, _ timescale: Timescale, _ factory: any LiveTranscoderFactory
    ) throws -> TrackTranscoding {
        let epoch = NIOLoopBound(self, eventLoop: eventLoop)
        let relay = TranscoderRelay<LiveTranscoderOutput>(eventLoop: eventLoop) {
            epoch.value.receive($0, index: index)
        }
        do {
            let transcoder = try factory.makeTranscoder(for: codec, timescale: timescale) { relay.receive($0) }
            return TrackTranscoding(transcoder: transcoder, relay: relay, timescale: timescale)
        } catch {
            relay.close()
            throw error
        }
    }

    /// Stops the transcoders without waiting for unfinished work, which would keep the next publisher waiting.
    func stopTranscoders() {
        for index in inputs.indices {
            inputs[index].transcoding?.close()
            inputs[index].transcoding = nil
        }
    }

    /// Sends a unit to the track's transcoder.
    func transcode(_ unit: AccessUnit, index: Int) {
        guard let transcoder = inputs[index].transcoding?.transcoder else { return }
        if !transcoder.send(unit) { reportOverload(index) }
    }

    /// Handles a transcoder's output. Called on the event loop by the relay.
    private func receive(_ delivery: TranscoderRelay<LiveTranscoderOutput>.Delivery, index: Int) {
        guard inputs[index].transcoding != nil else { return }
        if delivery.droppedUnitCount > 0 { reportOverload(index) }
        let now = channel.clock.now()
        for output in delivery.outputs {
            // Any output may have ended the transcoding.
            guard let timescale = inputs[index].transcoding?.timescale else { return }
            switch output {
            case .configuration(let configuration, let timescale): adopt(configuration, timescale, index: index)
            case .unit(let unit):
                guard inputs[index].configuration != nil else { continue }
                take(unit.converted(from: timescale, to: inputs[index].track.timescale), index: index, now: now)
            case .interrupted(let reason):
                reportError(
                    "the transcoder of the \(inputs[index].track.mediaType.rawValue) track ended and starts again: "
                        + reason)
            case .failed(let reason): endTranscoding(index, "the transcoder of the track has failed: \(reason)")
            }
        }
        unitsArrived()
    }

    private func adopt(_ configuration: CodecConfiguration, _ timescale: Timescale, index: Int) {
        guard configuration.mediaType == inputs[index].track.mediaType else {
            return endTranscoding(index, "the transcoder of the track returns another media type")
        }
        inputs[index].transcoding?.timescale = timescale
        // A track's timescale cannot change once it is packaged.
        if !inputs[index].hasSentUnit { inputs[index].track.timescale = timescale }
        let original = inputs[index].foreignCodec?.name
        channel.withState { state in
            state.presence.update(identifier) { $0.tracks[index].transcodedFrom = original }
        }
        setConfiguration(configuration, index: index)
    }

    private func endTranscoding(_ index: Int, _ reason: String) {
        let input = inputs[index]
        channel.withState { state in
            state.presence.update(identifier) { epoch in
                epoch.tracks[index] = ChannelStatus.TrackStatus(
                    id: input.track.id, type: input.track.mediaType.rawValue, codec: input.foreignCodec?.name)
            }
        }
        let codec = input.foreignCodec?.name ?? ""
        leaveOut(index, "\(input.track.mediaType.rawValue) (\(codec)): \(reason)")
    }

    private func reportOverload(_ index: Int) {
        guard inputs[index].transcoding?.hasReportedOverload == false else { return }
        inputs[index].transcoding?.hasReportedOverload = true
        reportError(
            "the \(inputs[index].track.mediaType.rawValue) track comes faster than it can be transcoded; "
                + "some of it is dropped")
    }
}

extension AccessUnit {
    /// The same unit with its timestamps in another timescale.
    fileprivate func converted(from timescale: Timescale, to other: Timescale) -> AccessUnit {
        guard timescale != other else { return self }
        var unit = self
        unit.decodeTime = MediaTime(value: decodeTime, timescale: timescale).converted(to: other).value
        unit.presentationTime = MediaTime(value: presentationTime, timescale: timescale).converted(to: other).value
        return unit
    }
}
