package import SessionDescription

/// What the owner of a ``RTSPSessionStateMachine`` is to do.
///
/// Where a verdict is asked for, no request may be passed in before it; it may be given at once or later, when a delay
/// after failed authentication has passed or a port is bound.
package enum RTSPSessionAction: Hashable, Sendable {
    case reply(RTSPResponse)
    /// Decide on an announcement, then call ``RTSPSessionStateMachine/announcementEvaluated(_:now:)``.
    case evaluateAnnouncement(RTSPAnnouncement, RTSPAuthorization)
    /// Describe what can be read at a URL, then call ``RTSPSessionStateMachine/descriptionEvaluated(_:now:)``.
    case evaluateDescription(RTSPDescriptionRequest, RTSPAuthorization)
    /// Bind ports or take channel numbers, then call ``RTSPSessionStateMachine/transportPrepared(_:now:)``.
    case prepareTransport(RTSPTransportRequest)
    /// Take the channel, then call ``RTSPSessionStateMachine/recordingEvaluated(_:now:)``. After a PAUSE it comes again.
    case startRecording(RTSPAnnouncement)
    /// Find where to begin, then call ``RTSPSessionStateMachine/playingEvaluated(_:now:)``, send the reply that it
    /// leads to, and only then packets. Where the session plays already, it is to go on from elsewhere.
    case startPlaying(RTSPPlayRequest)
    /// Stop sending, or taking, packets, and send the response; transports and session stay.
    case pause(RTSPResponse)
    /// Give up one track's transport and send the response; the other tracks go on.
    case releaseTrack(Int, RTSPResponse)
    /// Send the response and end the session; the connection stays open for another.
    case endSession(RTSPResponse, RTSPCloseReason)
    case replyAndClose(RTSPResponse, RTSPCloseReason)
    case close(RTSPCloseReason)
    case none
}

/// A publisher's offer: what it would send, and to where.
package struct RTSPAnnouncement: Hashable, Sendable {
    package var uri: String
    package var url: RTSPURL
    package var description: SDPSession
    package var userAgent: String?
}

/// What a reader wants to know or to set up.
package struct RTSPDescriptionRequest: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        case describing
        /// SETUP came without DESCRIBE. The description is not sent; its control attributes tell the tracks apart.
        case settingUp
    }

    /// Of the presentation: a track's segment is taken off.
    package var url: RTSPURL
    package var purpose: Purpose
    package var userAgent: String?
}

/// What is read: a description that was accepted, and by which URL it was asked for.
package struct RTSPPresentation: Hashable, Sendable {
    package var url: RTSPURL
    package var description: SDPSession

    package init(url: RTSPURL, description: SDPSession) {
        self.url = url
        self.description = description
    }
}

/// A track's SETUP.
package struct RTSPTransportRequest: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        case recording
        /// Packets go to the peer. A transport that the track has already is replaced: ffmpeg that hears nothing by
        /// UDP sets up again by TCP.
        case playing(RTSPPresentation)
    }

    /// Position among the media descriptions.
    package var trackIndex: Int
    /// In the peer's order of preference; none is multicast, and UDP offers name their ports.
    package var offers: [RTSPTransport]
    package var purpose: Purpose
}

/// RFC 2326 §10.5.
package struct RTSPPlayRequest: Hashable, Sendable {
    package var presentation: RTSPPresentation
    /// `nil`: from where PAUSE left it, or from the beginning.
    package var range: RTSPRange?
}
