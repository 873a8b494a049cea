package import SessionDescription

/// A presentation: its description, and the URL by which it was requested.
package struct RTSPPresentation: Hashable, Sendable {
    package var url: RTSPURL
    package var description: SDPSession

    package init(url: RTSPURL, description: SDPSession) {
        self.url = url
        self.description = description
    }
}
