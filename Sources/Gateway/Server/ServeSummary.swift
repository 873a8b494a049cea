import Foundation
import LibAV
import LiveChannels
import Packaging
import VODLibrary

/// What `antena serve --check` prints.
struct ServeSummary: Sendable {
    let configuration: ServerConfiguration
    let channelsFile: ChannelsFile

    var text: String {
        var lines = [
            "HTTP      http://\(configuration.http)",
            "HTTPS     \(configuration.https.map { "https://\($0), HTTP/2 and HTTP/1.1" } ?? "off")",
            "RTSP      \(configuration.rtsp)",
            "RTSPS     \(configuration.rtsps.map(\.description) ?? "off")",
            "Wowza     \(configuration.wowzaPort.map { "\(configuration.http.host):\($0), RTSP and HTTP" } ?? "off")",
            "UDP       ports \(configuration.udpPorts.lowerBound) to \(configuration.udpPorts.upperBound)",
            "media     \(configuration.mediaDirectory)", "data      \(configuration.dataDirectory)",
            "jobs      \(configuration.jobs) conversions at once", "channels  \(configuration.channelsFile)",
            "titles    \(channelsFile.encryptsTitles ? "encrypted" : "in the clear"), where nobody has chosen",
        ]
        for channel in channelsFile.channels {
            let presets = channel.presets.map(\.name).joined(separator: ", ")
            let packaging = channel.packaging
            lines.append(
                "  \(channel.name)  \"\(channel.title)\"  presets \(presets) (default \(channel.defaultPreset)), "
                    + "segments \(packaging.segmentDuration) s, parts \(packaging.partDuration) s, "
                    + "target duration \(Self.describeTargetDuration(of: channel))")
            lines.append("    published to by \(Self.describe(channel.publishing))")
            lines.append("    without a publisher \(describe(channel.onLoss))")
        }
        lines.append("presets")
        for preset in channelsFile.presets {
            lines.append(
                "  \(preset.name)  \(preset.width)x\(preset.height) at \(preset.frameRate)/s, "
                    + "video \(preset.videoBitRate) bit/s, audio \(preset.audioBitRate) bit/s")
        }
        lines.append("ladder    \(ladder)")
        return lines.joined(separator: "\n")
    }

    private var ladder: String {
        guard !channelsFile.ladder.isEmpty else { return "titles are offered as they are" }
        let presets = channelsFile.ladder.map(\.name).joined(separator: ", ")
        let encoder = channelsFile.ladderEncoder
        return "every title also in \(presets), by \(encoder)"
            + (LibAVRuntime.hasVideoEncoder(named: encoder)
                ? "" : ": this machine's libav has no such encoder of video") + deviceAbsence(of: encoder)
    }

    private func deviceAbsence(of encoder: String) -> String {
        (try? LadderEncoder(named: encoder))?.device?.absence.map { "; but \($0)" } ?? ""
    }

    private static func describeTargetDuration(of channel: ChannelConfiguration) -> String {
        switch channel.targetDuration {
        case .automatic: "as the publisher needs"
        case .configured: "\(channel.packaging.targetDuration) s"
        }
    }

    /// Slates that are not where `channels.json` says, with the channels that want them: viewers of those wait.
    var missingSlates: [(channel: String, path: String)] {
        channelsFile.channels.compactMap { channel in
            missingSlate(of: channel.onLoss).map { (channel.name, $0) }
        }
    }

    private func missingSlate(of policy: LossPolicy) -> String? {
        guard policy.action == .slate, let file = policy.slateFile else { return nil }
        let path = VODLibrary.slatePath(file, mediaDirectory: configuration.mediaDirectory)
        return FileManager.default.isReadableFile(atPath: path) ? nil : path
    }

    private func describe(_ policy: LossPolicy) -> String {
        switch policy.action {
        case .hold: "viewers wait"
        case .end: "it ends after \(policy.timeoutSeconds) s"
        case .slate:
            missingSlate(of: policy).map { "viewers wait: the slate \($0) is not there, or cannot be read" }
                ?? "viewers see \(policy.slateFile ?? "a plain card")"
        }
    }

    private static func describe(_ policy: PublishingPolicy) -> String {
        let access =
            switch policy.access {
            case .loopback: "anyone on this machine"
            case .anyone: "anyone"
            case .credentials(let credentials): credentials.map(\.username).joined(separator: ", ")
            }
        let second =
            switch policy.secondPublisher {
            case .refuse: "a second publisher is refused"
            case .takeOver: "a second publisher takes over"
            case .queue: "a second publisher waits"
            }
        return "\(access); \(second)\(policy.enforcesPreset ? "; the preset is enforced" : "")"
    }
}
