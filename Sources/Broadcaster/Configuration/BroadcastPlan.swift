package import Capture
import Foundation
import LibAV
import MediaCore

/// Derives a broadcast's settings from a profile, flags and the server's answers.
package struct BroadcastPlan: Sendable {
    /// The server, channel and preset.
    package var profile: BroadcastProfile
    /// The source that the flags select.
    package var source: SourceChoice
    /// libav's name of the encoder; `nil` for the default.
    package var encoderName: String?
    /// libx264's preset; `nil` for the default.
    package var encoderSpeed: String?
    /// True to skip certificate verification.
    package var acceptsAnyCertificate = false
    /// The preview to show.
    package var preview: PreviewChoice = .none

    /// The kinds of preview.
    package enum PreviewChoice: Hashable, Sendable {
        /// No preview.
        case none
        /// Coloured blocks in the terminal.
        case terminal
        /// A web page at that address.
        case page(String)

        /// Parses a flag's value; throws ``BroadcastError`` if it is none of these.
        ///
        /// - Parameter text: `none`, `terminal` or an `http:` address.
        package init(parsing text: String) throws(BroadcastError) {
            switch text {
            case "none": self = .none
            case "terminal": self = .terminal
            case _ where text.hasPrefix("http://"): self = .page(text)
            default:
                throw BroadcastError(
                    .usage, "\"\(text)\" is not a preview; choose none, terminal or http://127.0.0.1:PORT")
            }
        }

        /// Images per second: enough to see motion.
        private static let framesPerSecond = 5.0
        private static let pageWidth = 640
        private static let pageHeight = 360

        /// The images to request from a capture for a terminal of this size; `nil` for none.
        package func request(columns: Int, rows: Int) -> PreviewRequest? {
            switch self {
            case .none: nil
            // A character cell shows two pixels; the status lines keep their rows.
            case .terminal:
                PreviewRequest(
                    form: .rgb, width: max(2, columns), height: max(2, (rows - 5) * 2),
                    framesPerSecond: Self.framesPerSecond)
            case .page:
                PreviewRequest(
                    form: .jpeg, width: Self.pageWidth, height: Self.pageHeight,
                    framesPerSecond: Self.framesPerSecond)
            }
        }
    }

    /// Creates a plan with default encoder and no preview.
    package init(profile: BroadcastProfile, source: SourceChoice) {
        self.profile = profile
        self.source = source
    }

    /// The interval between two attempts to reach a server that does not answer yet.
    private static let waitInterval = Duration.seconds(2)

    /// Determines the settings; asks the server for its channels and presets if the profile names one.
    ///
    /// - Parameters:
    ///   - environment: The environment variables of the process.
    ///   - onWait: Called once with the reason why the server does not answer yet. If given, the server is asked until
    ///     it answers or the task is cancelled, and the broadcast also waits for it.
    /// - Throws: ``BroadcastError``
    package func settings(
        environment: [String: String], onWait: ((BroadcastError) -> Void)? = nil
    ) async throws(BroadcastError) -> (settings: BroadcastSettings, observer: GatewayObserver?) {
        var hasTold = false
        while true {
            do throws(BroadcastError) {
                var found = try await currentSettings(environment: environment)
                found.settings.waitsForServer = onWait != nil
                return found
            } catch {
                guard let onWait, error.code == .unreachable else { throw error }
                if !hasTold { onWait(error) }
                hasTold = true
                guard await Self.pause() else { throw error }
            }
        }
    }

    /// Waits for ``waitInterval``.
    ///
    /// - Returns: False if the task has been cancelled.
    private static func pause() async -> Bool { (try? await Task.sleep(for: waitInterval)) != nil }

    private func currentSettings(
        environment: [String: String]
    ) async throws(BroadcastError) -> (settings: BroadcastSettings, observer: GatewayObserver?) {
        var (channel, presets, observer) = (GatewayAPI.Channel?.none, QualityPreset.shipped, GatewayObserver?.none)
        if let server = profile.server {
            let api = try GatewayAPI(address: server)
            // Publishing needs only RTSP: if that is named and the API cannot be reached, the default presets do.
            do throws(BroadcastError) {
                channel = try await knownChannel(api)
                presets = try await api.presets()
                observer = profile.channel.map { GatewayObserver(api, channel: $0) }
            } catch  where error.code == .unreachable && profile.rtsp != nil {}
        }
        let preset = try chosenPreset(presets, channel: channel)
        var reached = profile
        await reached.learnRTSPAddress()
        var target = try reached.target(presetName: profile.server == nil ? nil : preset.name)
        target.acceptsAnyCertificate = acceptsAnyCertificate
        let title = channel?.title ?? profile.channel ?? "Antena"
        let found = try source.source(title: title, environment: environment)
        var encoding = BroadcastEncoding(
            width: preset.width, height: preset.height, frameRate: preset.frameRate,
            videoBitRate: preset.videoBitRate, audioBitRate: preset.audioBitRate)
        if let encoderName { encoding.encoderName = encoderName }
        if let encoderSpeed { encoding.encoderSpeed = encoderSpeed }
        try checkEncoder(encoding)
        var settings = BroadcastSettings(target: target, source: found, encoding: encoding)
        if case .devices(.some, nil) = found, !source.isSilent {
            settings.notices.append("no microphone found: video is sent without audio")
        }
        return (settings, observer)
    }

    /// Checks the encoder before a camera is opened for nothing.
    private func checkEncoder(_ encoding: BroadcastEncoding) throws(BroadcastError) {
        do throws(LibAVError) { try encoding.check() } catch { throw BroadcastError(error) }
        if encoding.encoderName == BroadcastEncoding.usualEncoderName,
            !BroadcastEncoding.encoderSpeeds.contains(encoding.encoderSpeed)
        {
            throw BroadcastError(
                .usage,
                "\"\(encoding.encoderSpeed)\" is not a preset of libx264; choose one of "
                    + BroadcastEncoding.encoderSpeeds.joined(separator: ", "))
        }
    }

    private func knownChannel(_ api: GatewayAPI) async throws(BroadcastError) -> GatewayAPI.Channel? {
        guard let name = profile.channel else { return nil }
        let channels = try await api.channels()
        guard let channel = channels.first(where: { $0.name == name }) else {
            throw GatewayAPI.unknownChannel(name, among: channels)
        }
        return channel
    }

    private func chosenPreset(
        _ presets: [QualityPreset], channel: GatewayAPI.Channel?
    ) throws(BroadcastError) -> QualityPreset {
        let allowed = presets.filter { channel?.presets?.contains($0.name) ?? true }
        let name = profile.preset ?? channel?.preset ?? "medium"
        guard let preset = allowed.first(where: { $0.name == name }) else {
            throw ConfigurationDialogue.unknownPreset(name, allowed: allowed, channel: profile.channel)
        }
        return preset
    }
}

extension BroadcastError {
    /// Adds what the server's API says: since when a channel is in use, and where its RTSP port is.
    package func explained(by profile: BroadcastProfile) async -> BroadcastError {
        if code == .unreachable || code == .notRTSP { return await explainedAddress(by: profile) }
        guard code == .channelBusy, let server = profile.server, let name = profile.channel,
            let api = try? GatewayAPI(address: server), let channel = try? await api.channel(named: name),
            let since = channel.publisher?.since
        else { return self }
        return BroadcastError(
            .channelBusy, "\(name) has been in use since \(ConfigurationDialogue.time(since)); choose another, or wait")
    }

    /// Distinguishes a server that is not running from one whose RTSP port is elsewhere.
    private func explainedAddress(by profile: BroadcastProfile) async -> BroadcastError {
        var profile = profile
        // Learns the address in the same way as the broadcast.
        await profile.learnRTSPAddress()
        guard !profile.hasWholeAddress, let server = profile.server, let api = try? GatewayAPI(address: server),
            let target = try? profile.target(presetName: nil)
        else { return self }
        let port: Int?
        do throws(BroadcastError) { port = try await api.rtspPort() } catch { return self }
        let advice: String
        if let port, port == target.port {
            advice =
                "the server reports this port; is there a firewall in between, or does RTSP listen on another "
                + "address of the machine?"
        } else if let port {
            advice = "the server reports port \(port): --rtsp rtsp://\(target.host):\(port)"
        } else {
            advice = "its About page states the port: --rtsp rtsp://\(target.host):PORT"
        }
        return BroadcastError(
            code, "the server runs at \(server), but RTSP does not answer at \(target.endpoint); \(advice)")
    }
}
