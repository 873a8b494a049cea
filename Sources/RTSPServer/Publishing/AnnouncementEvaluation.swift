import LiveChannels
import MediaCore
import RTSPProtocol
import SessionDescription

/// Decides on announcements; refusals contain a reason for the publisher and the log.
struct AnnouncementEvaluation {
    let channels: LiveChannelDirectory
    let limits: RTSPServerLimits

    /// The channel at a URL; throws a refusal if there is none.
    func channel(at url: RTSPURL) throws(RTSPRefusal) -> LiveChannel {
        guard let name = Self.channelName(path: url.path), let channel = channels.channel(named: name) else {
            throw Self.unknownChannel(path: url.path, among: channels)
        }
        return channel
    }

    /// A 404 refusal that suggests the most similar channel address.
    static func unknownChannel(path: String, among channels: LiveChannelDirectory) -> RTSPRefusal {
        let path = String(path.prefix(100))
        // Users often omit or confuse the application name in front and `.stream` at the end.
        var name = path.split(separator: "/").last.map(String.init) ?? ""
        if let dot = name.lastIndex(of: ".") { name = String(name[..<dot]) }
        let suggestion = NearestName.suggestion(for: name, among: channels.all.map(\.name))
        let hint = suggestion.map { "; did you mean /live/\($0).stream?" } ?? "; channels are at /live/NAME.stream"
        return RTSPRefusal(.notFound.because("Not Found: there is no channel at \(path)\(hint)"))
    }

    func evaluate(
        _ announcement: RTSPAnnouncement, for channel: LiveChannel
    ) throws(RTSPRefusal) -> AcceptedAnnouncement {
        guard announcement.description.media.count <= limits.maximumTrackCount else {
            throw RTSPRefusal(
                .unsupportedMediaType.because("Unsupported Media Type: more than \(limits.maximumTrackCount) tracks"))
        }
        var formats: [PublishedTrackFormat] = []
        for media in announcement.description.media {
            do {
                formats.append(try PublishedTrackFormat(media))
            } catch {
                throw RTSPRefusal(.unsupportedMediaType.because("Unsupported Media Type: \(error)"))
            }
        }
        guard formats.contains(where: { $0 != .ignored }) else {
            throw RTSPRefusal(.unsupportedMediaType.because("Unsupported Media Type: there is neither audio nor video"))
        }
        let presetName = announcement.url.queryValue("preset")
        if let error = channel.publishingError(presetName: presetName) { throw Self.refusal(of: error, channel) }
        return AcceptedAnnouncement(
            channel: channel, formats: formats, presetName: presetName, userAgent: announcement.userAgent)
    }

    /// Channel name in a path such as `/live/canalA.stream`; `nil` if the path does not have this form.
    static func channelName(path: String) -> String? {
        guard case .channel(let name) = MediaSubject(path: path) else { return nil }
        return name.text
    }

    /// The refusal for a channel that already has a publisher. The status is 453, which RFC 2326 §11.3.3 defines for
    /// a failed reservation of a resource: a channel has room for one publisher. 403 would be understood as a wrong
    /// password (ffmpeg: "access denied"), 455 as a wrong order of requests, and 503 as a problem of the whole
    /// server. ffmpeg prints the reason phrase, GStreamer its own.
    ///
    /// The address of the other publisher is only logged, because it must not be disclosed.
    static func busy(_ channel: LiveChannel) -> RTSPRefusal {
        RTSPRefusal(.notEnoughBandwidth.because("Channel In Use: \(channel.name) already has a publisher"))
    }

    static func refusal(of error: PublishingError, _ channel: LiveChannel) -> RTSPRefusal {
        switch error {
        case .channelBusy: busy(channel)
        // Status 451 (RFC 2326 §11.3.1).
        case .unknownPreset: RTSPRefusal(RTSPStatus(451, "Parameter Not Understood: \(error)"))
        case .closed: RTSPRefusal(.serviceUnavailable.because("Service Unavailable: \(error)"))
        }
    }
}
