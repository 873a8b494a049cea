package import SessionDescription

/// The action that the owner of a ``RTSPSessionStateMachine`` must carry out.
///
/// If the action asks for a verdict, no request may be passed in before the verdict. It may be given immediately or
/// later, for example when a delay after failed authentication has passed or a port is bound.
package enum RTSPSessionAction: Hashable, Sendable {
    case reply(RTSPResponse)
    /// Decide on an announcement, then call ``RTSPSessionStateMachine/announcementEvaluated(_:now:)``.
    case evaluateAnnouncement(RTSPAnnouncement, RTSPAuthorization)
    /// Describe the presentation at a URL, then call ``RTSPSessionStateMachine/descriptionEvaluated(_:now:)``.
    case evaluateDescription(RTSPDescriptionRequest, RTSPAuthorization)
    /// Bind ports or reserve channel numbers, then call ``RTSPSessionStateMachine/transportPrepared(_:now:)``.
    case prepareTransport(RTSPTransportRequest)
    /// Occupy the channel, then call ``RTSPSessionStateMachine/recordingEvaluated(_:now:)``. The action is repeated
    /// after a PAUSE.
    case startRecording(RTSPAnnouncement)
    /// Determine the start position, then call ``RTSPSessionStateMachine/playingEvaluated(_:now:)``, send the reply
    /// that it returns, and only then packets. If the session is playing already, playback continues at another
    /// position.
    case startPlaying(RTSPPlayRequest)
    /// Stop sending or accepting packets, and send the response; transports and session remain.
    case pause(RTSPResponse)
    /// Release one track's transport and send the response; the other tracks continue.
    case releaseTrack(Int, RTSPResponse)
    /// Send the response and end the session; the connection stays open for another session.
    case endSession(RTSPResponse, RTSPCloseReason)
    case replyAndClose(RTSPResponse, RTSPCloseReason)
    case close(RTSPCloseReason)
    case none
}

/// A publisher's announcement: the description of its media, and the URL to publish to.
package struct RTSPAnnouncement: Hashable, Sendable {
    package var uri: String
    package var url: RTSPURL
    package var description: SDPSession
    package var userAgent: String?
}

/// A reader's question about a presentation, from DESCRIBE or from a SETUP.
package struct RTSPDescriptionRequest: Hashable, Sendable {
    /// The request that asks for the description.
    package enum Purpose: Hashable, Sendable {
        case describing
        /// A SETUP arrived without a DESCRIBE. The description is not sent; its control attributes identify the
        /// tracks.
        case settingUp
    }

    /// URL of the presentation, without a track's segment.
    package var url: RTSPURL
    package var purpose: Purpose
    package var userAgent: String?
}

/// A presentation: its description, and the URL by which it was requested.
package struct RTSPPresentation: Hashable, Sendable {
    package var url: RTSPURL
    package var description: SDPSession

    package init(url: RTSPURL, description: SDPSession) {
        self.url = url
        self.description = description
    }
}

/// The SETUP of a track.
package struct RTSPTransportRequest: Hashable, Sendable {
    /// Direction of the media on the transport.
    package enum Purpose: Hashable, Sendable {
        case recording
        /// Packets are sent to the peer. A transport that the track already has is replaced: if ffmpeg receives
        /// nothing over UDP, it sets the track up again with TCP.
        case playing(RTSPPresentation)
    }

    /// Index of the track among the media descriptions.
    package var trackIndex: Int
    /// Offers in the peer's order of preference. None is multicast, and UDP offers name their ports.
    package var offers: [RTSPTransport]
    package var purpose: Purpose
}

/// A PLAY request (RFC 2326 §10.5).
package struct RTSPPlayRequest: Hashable, Sendable {
    package var presentation: RTSPPresentation
    /// The requested range; `nil` means from the point of the PAUSE, or from the beginning.
    package var range: RTSPRange?
}
