/// A PLAY request (RFC 2326 §10.5).
package struct RTSPPlayRequest: Hashable, Sendable {
    package var presentation: RTSPPresentation
    /// The requested range; `nil` means from the point of the PAUSE, or from the beginning.
    package var range: RTSPRange?
}
