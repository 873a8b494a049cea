import Foundation
import LibAV
import LibraryCore
import LiveChannels
import MediaCore
import Packaging
import TableDocuments
import Transcoding
import VODLibrary

/// The output of `antena serve --check`.
package struct ServeSummary: Sendable {
    package let configuration: ServerConfiguration
    package let channelsFile: ChannelsFile

    /// - Parameters:
    ///   - configuration: the settings of the server.
    ///   - channelsFile: its `channels.json`.
    package init(configuration: ServerConfiguration, channelsFile: ChannelsFile) {
        (self.configuration, self.channelsFile) = (configuration, channelsFile)
    }

    package var text: String {
        var lines = [
            "public    \(configuration.isPublic ? "yes; needs an administrator account" : "no")",
            "HTTP      http://\(configuration.http)",
            "HTTPS     \(configuration.https.map { "https://\($0), HTTP/2 and HTTP/1.1" } ?? "off")",
            "RTSP      \(configuration.rtsp)",
            "RTSPS     \(configuration.rtsps.map(\.description) ?? "off")",
            "RTMP      \(configuration.rtmp.map(\.description) ?? "on the port for Wowza's apps")",
            "RTMPS     \(configuration.rtmps.map(\.description) ?? "off")",
            "SRT       \(configuration.srt.map(\.description) ?? "off")",
            "Wowza     \(configuration.wowzaPort.map { "\(configuration.http.urlHost):\($0), RTSP, RTMP and HTTP" } ?? "off")",
            "UDP       ports \(configuration.udpPorts.lowerBound) to \(configuration.udpPorts.upperBound)",
            "media     \(configuration.mediaDirectory)\(missingMedia)", "data      \(configuration.dataDirectory)",
            "store     \(mediaStore)",
            "mail      \(configuration.mail?.description ?? "off; links for new passwords come from administrators")",
            "jobs      \(configuration.jobs) conversions at once", "channels  \(configuration.channelsFile)",
            "workers   \(Self.confinement)",
            "encrypt   \(encryption), except those that are set otherwise",
        ]
        for channel in channelsFile.channels {
            let presets = channel.presets.map(\.name).joined(separator: ", ")
            let packaging = channel.packaging
            lines.append(
                "  \(channel.name)  \"\(channel.title)\"  presets \(presets) (default \(channel.defaultPreset)), "
                    + "segments \(packaging.segmentDuration) s, parts \(packaging.partDuration) s, "
                    + "target duration \(Self.describeTargetDuration(of: channel))"
                    + (ladder(of: channel).map { ", \($0)" } ?? ""))
            if let scoreboard = scoreboard(of: channel) { lines.append("    scoreboard: \(scoreboard)") }
            lines.append("    published to by \(Self.describe(channel.publishing))")
            lines.append("    without a publisher \(describe(channel.onLoss))")
            lines.append("    time shift: \(Self.describeTimeShift(channel.archive))")
            lines.append("    recording: \(Self.describeRecording(channel.archive))")
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

    private var mediaStore: String {
        guard let address = configuration.mediaStore else { return "off; media stays in the folders of this machine" }
        return "\(address), with at most \(Self.size(configuration.mediaCacheByteCount)) of it on this machine"
    }

    /// A note about missing folders of the media folder; empty if all exist.
    private var missingMedia: String {
        let manager = FileManager.default
        guard manager.fileExists(atPath: configuration.mediaDirectory) else {
            return " (does not exist; it is created)"
        }
        let missing = LibrarySection.allCases.map(\.rawValue).filter {
            !manager.fileExists(atPath: "\(configuration.mediaDirectory)/\($0)")
        }
        return missing.isEmpty ? "" : " (without \(missing.map { "\($0)/" }.joined(separator: " and ")))"
    }

    private static func describeTimeShift(_ policy: ArchivePolicy) -> String {
        guard policy.windowSeconds > 0 else { return "off; viewers can go back by less than a minute" }
        return "viewers can go back by \(duration(policy.windowSeconds))"
    }

    private static func describeRecording(_ policy: ArchivePolicy) -> String {
        var text = policy.recordsAlways ? "every broadcast" : "when started manually"
        var limits: [String] = []
        if let byteCount = policy.recordingLimits.maximumByteCount { limits.append(size(byteCount)) }
        if let days = policy.recordingLimits.maximumAgeDays { limits.append(days == 1 ? "1 day" : "\(days) days") }
        if !limits.isEmpty { text += "; at most \(limits.joined(separator: " and ")) are kept" }
        return text
    }

    /// Formats seconds as `90 s`, `30 min` or `2 h`.
    private static func duration(_ seconds: Int) -> String {
        if seconds.isMultiple(of: 3_600) { return "\(seconds / 3_600) h" }
        return seconds.isMultiple(of: 60) ? "\(seconds / 60) min" : "\(seconds) s"
    }

    /// Formats a number of bytes as `900 bytes` or `1.5 GiB`.
    package static func size(_ byteCount: Int64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (Double(byteCount), 0)
        while value >= 1_024, unit < units.count - 1 { (value, unit) = (value / 1_024, unit + 1) }
        let rounded = (value * 10).rounded() / 10
        return "\(rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") \(units[unit])"
    }

    /// The confinement of the workers, which read untrusted files.
    private static var confinement: String {
        let missing = LibAVRuntime.missingConfinement
        return missing.isEmpty
            ? "confined by Landlock and seccomp"
            : "not fully confined: this kernel lacks \(missing.joined(separator: " and "))"
    }

    private var ladder: String {
        guard !channelsFile.ladder.isEmpty else { return "off; titles are served in their original quality only" }
        let presets = channelsFile.ladder.map(\.name).joined(separator: ", ")
        let encoder = channelsFile.ladderEncoder
        return "every title also in \(presets), encoded by \(encoder)"
            + (LibAVRuntime.hasVideoEncoder(named: encoder)
                ? "" : ": this machine's libav does not have that encoder") + deviceAbsence(of: encoder)
    }

    /// The quality of a channel with the scoreboard in the picture; `nil` if it has none.
    private func scoreboard(of channel: ChannelConfiguration) -> String? {
        guard let preset = channel.scoreboardPreset else { return nil }
        let problem: String
        do throws(PDFError) {
            try PDFLibraries.load()
            problem = ""
        } catch {
            problem = "; without the board, because the server \(error.reason)"
        }
        return "in the picture of /live/\(channel.name).stream/playlist.m3u8?scoreboard=1, in \(preset.name)\(problem)"
    }

    /// The lower qualities of a channel; `nil` if it has none.
    private func ladder(of channel: ChannelConfiguration) -> String? {
        guard !channel.ladder.isEmpty else { return nil }
        let encoder = LadderEncoder.liveName(titles: channel.ladderEncoder)
        return "also in \(channel.ladder.map(\.name).joined(separator: ", ")), encoded by \(encoder)"
            + (channel.isLadderOnDemand ? " while somebody watches" : "")
            + (LibAVRuntime.hasVideoEncoder(named: encoder)
                ? "" : ": this machine's libav does not have that encoder") + deviceAbsence(of: encoder)
    }

    private func deviceAbsence(of encoder: String) -> String {
        (try? LadderEncoder(named: encoder))?.device?.absence.map { "; but \($0)" } ?? ""
    }

    /// The titles that are encrypted by default.
    private var encryption: String {
        switch channelsFile.titleEncryption {
        case .aes128: "all titles"
        case .cbcs: "all titles with cbcs"
        case nil: "no titles"
        }
    }

    private static func describeTargetDuration(of channel: ChannelConfiguration) -> String {
        switch channel.targetDuration {
        case .automatic: "as the publisher needs"
        case .configured: "\(channel.packaging.targetDuration) s"
        }
    }

    /// Configured slates that cannot be read, with their channels; the viewers of those wait while there is no
    /// publisher.
    package var missingSlates: [(channel: String, path: String)] {
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
            missingSlate(of: policy).map { "viewers wait, because the slate \($0) is missing or cannot be read" }
                ?? "viewers see \(policy.slateFile ?? "a card with the channel's title")"
        }
    }

    private static func describe(_ policy: PublishingPolicy) -> String {
        let access =
            switch policy.access {
            case .loopback: "anyone on this machine"
            case .accounts: "accounts that may publish to it"
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
