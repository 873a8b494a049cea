/// A request that awaits the owner's verdict. The state does not change until then.
enum PendingRequest: Hashable, Sendable {
    case announcement(RTSPRequest, RTSPAnnouncement, sessionID: String)
    case description(RTSPRequest, RTSPDescriptionRequest)
    case transport(PendingTransport)
    case recording(RTSPRequest, EstablishedSession)
    case playing(RTSPRequest, EstablishedSession)
}
