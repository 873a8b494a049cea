import SessionDescription
import LiveChannels
import MediaCore
import RTSPProtocol

/// An announcement that may be set up.
struct AcceptedAnnouncement {
    var channel: LiveChannel
    /// One for each media description.
    var formats: [PublishedTrackFormat]
    var presetName: String?
    var userAgent: String?
}

/// Decides on announcements, in words for the publisher and for the log.
struct AnnouncementEvaluation {
    let channels: LiveChannelDirectory
    let limits: RTSPServerLimits

    /// Whether there is one at all.
    func channel(at url: RTSPURL) throws(RTSPRefusal) -> LiveChannel {
        guard let name = Self.channelName(path: url.path), let channel = channels.channel(named: name) else {
            throw Self.unknownChannel(path: url.path, among: channels)
        }
        return channel
    }

    /// 404 with the address that was probably meant.
    static func unknownChannel(path: String, among channels: LiveChannelDirectory) -> RTSPRefusal {
        let path = String(path.prefix(100))
        // What people leave out or exchange: the application's name in front, and `.stream` at the end.
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
            throw RTSPRefusal(.unsupportedMediaType.because("Unsupported Media Type: neither audio nor video"))
        }
        let presetName = announcement.url.queryValue("preset")
        if let error = channel.publishingError(presetName: presetName) { throw Self.refusal(of: error, channel) }
        return AcceptedAnnouncement(
            channel: channel, formats: formats, presetName: presetName, userAgent: announcement.userAgent)
    }

    /// `/live/canalA.stream`
    static func channelName(path: String) -> String? {
        guard path.hasPrefix("/live/"), path.hasSuffix(".stream") else { return nil }
        let name = path.dropFirst("/live/".count).dropLast(".stream".count)
        return name.isEmpty ? nil : String(name)
    }

    /// 453, because a channel is a resource with room for one publisher and its reservation failed, which is what RFC
    /// 2326 §11.3.3 has the status for. 403 would read as a wrong password (ffmpeg: "access denied"), 455 as a wrong
    /// order of requests, and 503 as the whole server's trouble. ffmpeg prints our words, GStreamer its own.
    ///
    /// The other publisher's address is for the log, not for strangers.
    static func busy(_ channel: LiveChannel) -> RTSPRefusal {
        RTSPRefusal(.notEnoughBandwidth.because("Channel In Use: \(channel.name) already has a publisher"))
    }

    static func refusal(of error: PublishingError, _ channel: LiveChannel) -> RTSPRefusal {
        switch error {
        case .channelBusy: busy(channel)
        // RFC 2326 §11.3.1.
        case .unknownPreset: RTSPRefusal(RTSPStatus(451, "Parameter Not Understood: \(error)"))
        case .closed: RTSPRefusal(.serviceUnavailable.because("Service Unavailable: \(error)"))
        }
    }
}
