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
