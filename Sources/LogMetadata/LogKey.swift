/// The key of a value in a log line's metadata. Every key of the program is listed here, so that one word finds the
/// same thing in all lines (`Scripts/check-logs.py`).
package enum LogKey: String, Hashable, Sendable, CaseIterable {
    // MARK: What the line is about

    case channelName = "channel.name"
    /// Address of the other end of a connection, or the group of addresses that shares a limit.
    case peerAddress = "peer.address"
    case userName = "user.name"
    /// The name by which a client introduces itself.
    case userAgent = "user-agent"
    case titleID = "title.id"
    /// Path of a title's or track's file below its section of the media folder.
    case titleFile = "title.file"
    case formerTitleFile = "title.formerFile"
    /// ID of the title or track that has the same content.
    case originalTitleID = "title.original"
    case jobID = "job.id"
    /// ID of an offline copy.
    case copyID = "copy.id"
    case uploadID = "upload.id"
    case webhookID = "webhook.id"
    case recordingFile = "recording.file"
    /// Name of the channel, or path of the title, that a reader plays.
    case presentationName = "presentation.name"
    /// `titles` or `tracks`.
    case section
    /// Key of an object in a media store (`MediaStorage`).
    case objectKey = "object.key"
    /// Path of a file that belongs to no title.
    case file
    case line
    case column
    /// Path of a field in a JSON file.
    case field

    // MARK: Protocols

    /// Sequence number of an RTSP request on its connection (RFC 2326 §12.17).
    case rtspCSeq = "rtsp.cseq"
    case rtspStatus = "rtsp.status"
    /// Position of a track among those of a push that are used.
    case rtpTrack = "rtp.track"
    /// Synchronization source of a packet, in hexadecimal as Wireshark shows it.
    case rtpSSRC = "rtp.ssrc"
    case rtpSequenceNumber = "rtp.sequence"
    case rtpTimestamp = "rtp.timestamp"
    /// `tcp` or `udp`.
    case transport
    case httpPath = "http.path"
    /// Identifier of an HTTP request; see ``RequestIdentifier``.
    case requestID = "request.id"
    case http2ErrorCode = "http2.error"
    case listenerAddress = "listener.address"
    /// A one-time link for the reader of the log.
    case link
    /// The name of an identity provider in the configuration.
    case identityProvider = "identity.provider"
    /// The part of a mail's recipient after the `@`; the rest is personal.
    case mailDomain = "mail.domain"
    case httpPort = "http.port"
    case httpsPort = "https.port"
    case rtspPort = "rtsp.port"
    case rtspsPort = "rtsps.port"
    case relay = "relay"
    case rtmpPort = "rtmp.port"
    case rtmpsPort = "rtmps.port"
    case srtPort = "srt.port"
    case wowzaPort = "wowza.port"

    // MARK: Outcomes

    case error
    case reason
    /// The human-readable form of a reason, or the error behind it.
    case detail
    /// True if the publisher or an operator ended a push, so that viewers need not wait for its return.
    case isIntended = "intended"
    case count
    /// A duration in seconds.
    case seconds
    /// Identifier of a push on its channel.
    case epoch
    case tracks
    /// Tracks that the server fills because the publisher does not send them.
    case filledTracks = "filled"
    case codec
    /// The name of a preset.
    case preset
    /// The state of something, as the API names it.
    case state
    case renditions
    /// Protections that the kernel lacks.
    case missing
    case addedChannels = "added"
    case changedChannels = "changed"
    case removedChannels = "removed"
    case unchangedCount = "unchanged"
}
