import LiveChannels
import Packaging

/// What `antena serve --check` prints.
struct ServeSummary: Sendable {
    let configuration: ServerConfiguration
    let channelsFile: ChannelsFile

    var text: String {
        var lines = [
            "HTTP      \(configuration.http)", "RTSP      \(configuration.rtsp)",
            "RTSPS     \(configuration.rtsps.map(\.description) ?? "off")",
            "Wowza     \(configuration.wowzaPort.map { "\(configuration.http.host):\($0), RTSP and HTTP" } ?? "off")",
            "UDP       ports \(configuration.udpPorts.lowerBound) to \(configuration.udpPorts.upperBound)",
            "media     \(configuration.mediaDirectory)", "data      \(configuration.dataDirectory)",
            "channels  \(configuration.channelsFile)",
        ]
        for channel in channelsFile.channels {
            let presets = channel.presets.map(\.name).joined(separator: ", ")
            let packaging = channel.packaging
            lines.append(
                "  \(channel.name)  \"\(channel.title)\"  presets \(presets) (default \(channel.defaultPreset)), "
                    + "segments \(packaging.segmentDuration) s, parts \(packaging.partDuration) s, "
                    + "target duration \(packaging.targetDuration) s")
        }
        lines.append("presets")
        for preset in channelsFile.presets {
            lines.append(
                "  \(preset.name)  \(preset.width)x\(preset.height) at \(preset.frameRate)/s, "
                    + "video \(preset.videoBitRate) bit/s, audio \(preset.audioBitRate) bit/s")
        }
        return lines.joined(separator: "\n")
    }
}
