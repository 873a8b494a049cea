import APIContract
import APIDeclarations
import HLSPlaylist
import JSONDocument
import LiveChannels

extension APIResources {
    /// The JSON of the status of a channel. What is not known is left out.
    static func channel(_ status: ChannelStatus) -> APIObject<ChannelFields> {
        ChannelFields.object { f in
            let about: [JSONText.Field?] = [
                f.name(status.name), f.title(status.title), status.description.map { f.description($0) },
                status.cover.map { f.cover($0) }, status.website.map { f.website($0) },
                status.artist.map { f.artist($0) }, status.album.map { f.album($0) },
            ]
            let publishing: [JSONText.Field?] = [
                f.state(status.state.rawValue), status.since.map { f.since(date($0)) }, f.preset(status.preset),
                f.presets(status.presets), status.publisher.map { f.publisher(publisher($0)) },
                status.presetComparison.map { f.presetComparison(comparison($0)) },
                status.slate.map { f.slate($0) }, status.gopTooLong.map { f.gopTooLong(advice($0)) },
                f.waitingPublishers(status.waitingPublishers.map(publisher)),
                f.tracks(status.tracks.map(channelTrack)),
                status.ladder.map { f.ladder($0.map { rung($0, of: status) }) },
            ]
            let numbers: [JSONText.Field?] = [
                f.viewers(status.viewers), f.viewersByVariant(viewers(status.viewersByVariant)),
                f.bytesIn(status.bytesIn), f.bytesDiscarded(status.bytesDiscarded), f.bytesOut(status.bytesOut),
                f.packetsLost(status.packetsLost), f.errors(status.errors.map(reportedError)),
                f.playlist(status.playlist), f.manifest(status.manifest),
                status.recording.map { f.recording(recording($0)) },
            ]
            return about + publishing + numbers
        }
    }

    /// The JSON of a channel's recording.
    static func recording(_ status: RecordingStatus) -> APIObject<RecordingFields> {
        RecordingFields.object { f in
            [
                f.state(status.state.rawValue), status.since.map { f.since(date($0)) }, f.bytes(Int(status.bytes)),
                f.duration(status.duration), status.file.map { f.file($0) }, status.reason.map { f.reason($0) },
            ]
        }
    }

    private static func publisher(_ status: ChannelStatus.PublisherStatus) -> APIObject<ChannelPublisherFields> {
        ChannelPublisherFields.object { f in
            [
                status.address.map { f.address($0) }, status.userAgent.map { f.userAgent($0) },
                f.transport(status.transport), f.preset(status.preset), f.since(date(status.since)),
                status.clockOffset.map { f.clockOffset($0) }, status.captureDelay.map { f.captureDelay($0) },
                status.link.map { f.link(link($0)) },
            ]
        }
    }

    private static func link(_ quality: LinkQuality) -> APIObject<ChannelLinkFields> {
        ChannelLinkFields.object { f in
            [
                f.roundTripMilliseconds(quality.roundTripMilliseconds), f.lostPackets(quality.lostPackets),
                f.retransmittedPackets(quality.retransmittedPackets), f.droppedPackets(quality.droppedPackets),
            ]
        }
    }

    private static func rung(
        _ rung: ChannelStatus.RungStatus, of status: ChannelStatus
    ) -> APIObject<ChannelRungFields> {
        ChannelRungFields.object { f in
            [
                f.name(rung.name), f.state(rung.state.rawValue), rung.width.map { f.width($0) },
                rung.height.map { f.height($0) }, f.bitRate(rung.bitRate),
                f.playlist("/live/\(status.name).stream/\(rung.rendition).m3u8"),
            ]
        }
    }

    private static func channelTrack(_ track: ChannelStatus.TrackStatus) -> APIObject<ChannelTrackFields> {
        ChannelTrackFields.object { f in
            [
                f.id(Int(track.id)), f.type(track.type), track.codec.map { f.codec($0) },
                track.rfc6381.map { f.rfc6381($0) }, track.transcodedFrom.map { f.transcodedFrom($0) },
                track.width.map { f.width($0) }, track.height.map { f.height($0) },
                track.frameRate.map { f.frameRate($0) }, track.bitRate.map { f.bitRate($0) },
                track.sampleRate.map { f.sampleRate($0) }, track.channels.map { f.channels($0) },
            ]
        }
    }

    private static func viewers(
        _ counts: ChannelStatus.VariantViewers
    ) -> APIObject<ChannelViewersByVariantFields> {
        ChannelViewersByVariantFields.object { [$0.video(counts.video), $0.audio(counts.audio), $0.ts(counts.ts)] }
    }

    private static func reportedError(_ error: ChannelStatus.ReportedError) -> APIObject<ChannelErrorFields> {
        ChannelErrorFields.object { [$0.at(date(error.at)), $0.message(error.message)] }
    }

    private static func advice(_ warning: ChannelStatus.GOPTooLong) -> APIObject<KeyFrameAdviceFields> {
        KeyFrameAdviceFields.object { f in
            [warning.keyFrameDistance.map { f.keyFrameDistance($0) }, f.advice(warning.advice)]
        }
    }

    private static func comparison(_ comparison: PresetComparison) -> APIObject<ChannelPresetComparisonFields> {
        func bitRate(_ quantity: PresetComparison.Quantity<Int>) -> APIObject<PromisedRateFields> {
            rate(Double(quantity.promised), quantity.measured.map { Double($0) }, quantity.verdict)
        }
        let (size, frameRate) = (comparison.resolution, comparison.frameRate)
        return ChannelPresetComparisonFields.object {
            [
                $0.resolution(resolution(size)),
                $0.frameRate(rate(frameRate.promised, frameRate.measured, frameRate.verdict)),
                $0.videoBitrate(bitRate(comparison.videoBitrate)), $0.audioBitrate(bitRate(comparison.audioBitrate)),
            ]
        }
    }

    private static func resolution(
        _ quantity: PresetComparison.Quantity<PresetComparison.Resolution>
    ) -> APIObject<ChannelPresetComparisonResolutionFields> {
        func size(_ size: PresetComparison.Resolution) -> APIObject<ResolutionFields> {
            ResolutionFields.object { [$0.width(size.width), $0.height(size.height)] }
        }
        return ChannelPresetComparisonResolutionFields.object { f in
            [
                f.promised(size(quantity.promised)), quantity.measured.map { f.measured(size($0)) },
                quantity.verdict.map { f.verdict(Verdict($0.rawValue)) },
            ]
        }
    }

    private static func rate(
        _ promised: Double, _ measured: Double?, _ verdict: PresetComparison.Verdict?
    ) -> APIObject<PromisedRateFields> {
        PromisedRateFields.object { f in
            [
                f.promised(promised), measured.map { f.measured($0) },
                verdict.map { f.verdict(Verdict($0.rawValue)) },
            ]
        }
    }

    /// The JSON of metadata that has been announced.
    static func dateRange(_ range: DateRange) -> APIObject<DateRangeFields> {
        DateRangeFields.object {
            [
                $0.id(range.id), $0.class(range.dateRangeClass),
                $0.startDate(APITime(ProgramDateTime(millisecondsSince1970: range.startDate).description)),
                $0.duration(range.duration), $0.plannedDuration(range.plannedDuration),
                $0.endOnNext(range.endsOnNext),
            ]
        }
    }
}
