import Accounts
import Catalogue
import Foundation
import HTTPEndpoints
import LiveChannels
import MediaCore
import Monitoring
import SiteTexts
import StreamRelays
import Workflows

/// The part of the dashboard that changes.
struct DashboardState {
    private let snapshot: DashboardSnapshot
    private let page: SitePage
    private let text: DashboardText
    private let format: DashboardFormat
    /// Sources and restreams by the channel's name.
    private let relays: [String: [RelayStatus]]
    /// The token of the operator's session, for the forms; `nil` for what the script shows.
    private let csrf: String?

    /// The time for which an error of a channel is an alert.
    private static let errorAge: TimeInterval = 600

    init(_ snapshot: DashboardSnapshot, _ page: SitePage, _ text: DashboardText, csrf: String?) {
        (self.snapshot, self.page, self.text, self.csrf) = (snapshot, page, text, csrf)
        format = DashboardFormat(page)
        relays = Dictionary(grouping: snapshot.relays, by: \.identifier.channel)
    }

    var values: [String: Any] {
        let channels = snapshot.channels
        var alerts = channels.flatMap { problems(of: $0, now: snapshot.time) }
        if snapshot.machine.isDiskNearlyFull {
            let free = format.bytes(snapshot.machine.freeByteCount)
            alerts.append(alert(text.diskFull, text.diskFullText.filled("free", with: free)))
        }
        return [
            "d": text, "alerts": alerts, "isWell": alerts.isEmpty, "channels": channels.map(values(of:)),
            "jobs": snapshot.openJobs.map { job in
                page.job(job).merging([
                    "forms": [
                        form(
                            OperatorPath.job(job.number), OperatorPath.first, text.doFirst, key: "first-\(job.number)"),
                        form(
                            OperatorPath.job(job.number), OperatorPath.cancel, text.cancel, isDangerous: true,
                            key: "cancel-\(job.number)"),
                    ]
                ]) { $1 }
            },
            "hasJobs": !snapshot.openJobs.isEmpty,
            "failed": snapshot.failedJobs.map { job in
                page.job(job).merging([
                    "reason": job.error.map { MediaFailure.text($0, in: page.text.siteLanguage) } ?? "",
                    "forms": [
                        form(OperatorPath.job(job.number), OperatorPath.retry, text.retry, key: "retry-\(job.number)")
                    ],
                ]) { $1 }
            },
            "hasFailed": !snapshot.failedJobs.isEmpty,
            "facts": facts(snapshot.machine, snapshot.delays), "viewers": viewers,
        ]
    }

    /// The viewers at the moment: all, and by the kind of their program.
    private var viewers: [[String: Any]] {
        let sum = snapshot.viewers.filter { $0.kind != .client }.reduce(0) { $0 + $1.viewers }
        return [["name": text.allViewers, "value": "\(sum)"]]
            + snapshot.viewers.filter { $0.kind == .client && $0.viewers > 0 }.sorted { $0.viewers > $1.viewers }.map {
                ["name": text.clients[$0.name] ?? $0.name, "value": "\($0.viewers)"]
            }
    }

    // MARK: Forms

    /// A button that does something. The key is the same in the next state, so that the script keeps the focus.
    private func form(
        _ path: String, _ action: String, _ label: String, isDangerous: Bool = false, key: String
    ) -> [String: Any] {
        ["action": path, "do": action, "label": label, "dangerous": isDangerous, "key": key, "csrf": csrf ?? ""]
    }

    private func forms(of channel: ChannelStatus) -> [[String: Any]] {
        guard channel.state != .idle else { return [] }
        let (path, name) = (OperatorPath.channel(channel.name), channel.name)
        var forms: [[String: Any]] = []
        if let recording = channel.recording {
            forms.append(
                recording.state == .recording
                    ? form(path, OperatorPath.stopRecording, text.stopRecording, key: "record-\(name)")
                    : form(path, OperatorPath.record, text.record, key: "record-\(name)"))
            forms.append(form(path, OperatorPath.clip, text.clip, key: "clip-\(name)"))
        }
        forms.append(
            form(path, OperatorPath.disconnect, text.disconnect, isDangerous: true, key: "disconnect-\(name)"))
        return forms
    }

    // MARK: Sources and restreams

    private func name(of relay: RelayIdentifier) -> String {
        switch relay.kind {
        case .source: text.sourceName
        case .restream(let number): text.restreamName.filled("number", with: "\(number)")
        }
    }

    private func values(of relay: RelayStatus) -> [String: Any] {
        let (path, isStopped) = (OperatorPath.relay(relay.identifier), relay.state == .stopped)
        return [
            "name": name(of: relay.identifier), "address": SitePage.displayed(relay.address),
            "stateText": text.relayStates[relay.state.rawValue] ?? relay.state.rawValue,
            "form": form(
                path, isStopped ? OperatorPath.startRelay : OperatorPath.stopRelay, isStopped ? text.start : text.stop,
                key: "relay-\(relay.identifier.channel)-\(relay.identifier)"),
        ]
    }

    // MARK: Alerts and facts

    private func alert(_ heading: String, _ explanation: String, path: String? = nil) -> [String: Any] {
        var values: [String: Any] = [
            "heading": SitePage.displayed(heading), "text": SitePage.displayed(explanation),
        ]
        values["path"] = path
        return values
    }

    private func problems(of channel: ChannelStatus, now: Date) -> [[String: Any]] {
        let path = ResourcePaths.page(ofChannel: channel.name)
        func alert(_ heading: String, _ explanation: String) -> [String: Any] {
            self.alert("\(channel.title): \(heading)", explanation, path: path)
        }
        var alerts: [[String: Any]] = []
        if channel.state == .interrupted { alerts.append(alert(text.interrupted, text.interruptedText)) }
        if let comparison = channel.presetComparison,
            comparison.resolution.verdict == .below
                || comparison.frameRate.verdict == .below || comparison.videoBitrate.verdict == .below
        {
            alerts.append(
                alert(
                    text.belowPreset,
                    text.belowPresetText.filled("preset", with: channel.preset)))
        }
        if let long = channel.gopTooLong { alerts.append(alert(text.keyFrames, long.advice)) }
        if !channel.waitingPublishers.isEmpty { alerts.append(alert(text.waiting, text.waitingText)) }
        for relay in relays[channel.name] ?? [] where relay.state == .failing {
            alerts.append(
                alert(
                    text.relayFails.filled("name", with: name(of: relay.identifier)),
                    "\(relay.address): \(relay.reason ?? "")"))
        }
        if let error = channel.errors.last, now.timeIntervalSince(error.at) < Self.errorAge {
            alerts.append(alert(text.reported, error.message))
        }
        return alerts
    }

    private func values(of channel: ChannelStatus) -> [String: Any] {
        var values = page.channel(channel)
        func fact(_ name: String, _ value: String?, _ verdict: PresetComparison.Verdict? = nil) -> [String: Any]? {
            guard let value else { return nil }
            var fact: [String: Any] = ["name": name, "value": SitePage.displayed(value)]
            switch verdict {
            case .kept: fact["verdict"] = ["word": text.kept, "class": "good"]
            case .below: fact["verdict"] = ["word": text.below, "class": "bad"]
            case .above: fact["verdict"] = ["word": text.above, "class": "bad"]
            case nil: break
            }
            return fact
        }
        let (video, audio) = (
            channel.tracks.first { $0.type == "video" }, channel.tracks.first { $0.type == "audio" }
        )
        let (comparison, link) = (channel.presetComparison, channel.publisher?.link)
        let size = video.flatMap { track in track.width.flatMap { width in track.height.map { "\(width) × \($0)" } } }
        values["forms"] = forms(of: channel)
        values["relays"] = (relays[channel.name] ?? []).map(values(of:))
        values["edit"] = EditingPath.channel(channel.name)
        let since = channel.publisher.map { Duration.seconds(Date().timeIntervalSince($0.since)) }
        values["facts"] =
            channel.state == .idle
            ? []
            : [
                fact(text.onAirFor, since.map { PlayingTime.text($0.seconds) }),
                fact(text.viewers, "\(channel.viewers)"),
                fact(text.preset, channel.preset),
                fact(text.picture, size, comparison?.resolution.verdict),
                fact(
                    text.frames, video?.frameRate.map { format.rounded($0) }, comparison?.frameRate.verdict),
                fact(text.videoRate, video?.bitRate.map(DashboardFormat.bits), comparison?.videoBitrate.verdict),
                fact(text.audioRate, audio?.bitRate.map(DashboardFormat.bits), comparison?.audioBitrate.verdict),
                fact(text.keyFrameDistance, channel.keyFrameDistance.map { "\(format.rounded($0)) s" }),
                fact(text.loss, "\(channel.packetsLost)"),
                fact(text.roundTrip, link.map { "\(format.rounded($0.roundTripMilliseconds)) ms" }),
                fact(
                    text.packets,
                    link.map { link in
                        text.packetsText.filled(
                            "retransmitted", with: "\(link.retransmittedPackets)", ["dropped": "\(link.droppedPackets)"]
                        )
                    }),
                fact(
                    text.publisher,
                    [channel.publisher?.transport, channel.publisher?.userAgent].compactMap(\.self)
                        .joined(separator: " · ")),
            ].compactMap(\.self)
        return values
    }

    private func facts(_ machine: MachineState, _ delays: ServerDelays) -> [[String: Any]] {
        var facts: [[String: Any]] = []
        if let free = machine.freeByteCount, let all = machine.diskByteCount, all > 0 {
            facts.append([
                "name": text.disk, "share": "\(1 - Double(free) / Double(all))",
                "value": text.diskFree.filled("free", with: format.bytes(free)),
            ])
        }
        facts.append(["name": text.memory, "value": format.bytes(machine.residentByteCount)])
        if let load = machine.load {
            facts.append([
                "name": text.load, "value": "\(format.rounded(load)) / \(machine.processorCount)",
                "share": "\(min(1, load / Double(max(1, machine.processorCount))))",
            ])
        }
        for (name, delay) in [
            (text.eventLoopDelay, delays.eventLoop), (text.databaseDelay, delays.database),
            (text.storeDelay, delays.mediaStore),
        ] {
            guard let delay else { continue }
            facts.append(["name": name, "value": "\(format.rounded(delay.seconds * 1_000)) ms"])
        }
        return facts
    }
}
