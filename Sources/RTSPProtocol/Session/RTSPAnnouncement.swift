package import SessionDescription

/// A publisher's announcement: the description of its media, and the URL to publish to.
package struct RTSPAnnouncement: Hashable, Sendable {
    package var uri: String
    package var url: RTSPURL
    package var description: SDPSession
    package var userAgent: String?
}
